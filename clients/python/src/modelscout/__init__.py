"""Calls a modelscout service, which recommends AI models for needs in plain English.

::

    from modelscout import ModelscoutClient
    from modelscout.v1 import RecommendRequest

    with ModelscoutClient("http://127.0.0.1:8080") as client:
        answer = client.recommendation.recommend(RecommendRequest(description="transcribe meetings", hardware="cpu"))
        for result in answer.results:
            print(result.model.name, result.reasons[0])
"""

from .client import AsyncModelscoutClient, ModelscoutClient
from .errors import (
    DeadlineExceededError,
    InvalidArgumentError,
    ModelscoutError,
    NotFoundError,
    PermissionDeniedError,
    QuotaViolation,
    Resource,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    Violation,
    error_of_status,
)
from .retry import RetryPolicy
from .streams import AsyncResumingStream, ResumingStream
from .version import __version__
from .webhooks import Webhook, WebhookEvent, WebhookVerificationError

__all__ = [
    "AsyncModelscoutClient",
    "AsyncResumingStream",
    "DeadlineExceededError",
    "InvalidArgumentError",
    "ModelscoutClient",
    "ModelscoutError",
    "NotFoundError",
    "PermissionDeniedError",
    "QuotaViolation",
    "Resource",
    "ResourceExhaustedError",
    "ResumingStream",
    "RetryPolicy",
    "UnauthenticatedError",
    "UnavailableError",
    "Violation",
    "Webhook",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "error_of_status",
]
