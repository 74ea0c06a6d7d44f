"""Errors of the service as exceptions, with what programs need to act on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Tuple, Type

import grpc
from google.protobuf.message import DecodeError, Message

from .google_rpc import error_details_pb2, status_pb2

#: The domain of the reasons in google.rpc.ErrorInfo.
_DOMAIN = "modelscout"
#: The arguments of the constructor of ModelscoutError, which are attributes of the same names.
_PICKLED = (
    "code",
    "message",
    "reason",
    "metadata",
    "violations",
    "quota_violations",
    "resource",
    "retry_delay",
)
_DETAILS_KEY = "grpc-status-details-bin"


@dataclass(frozen=True)
class Violation:
    """A field of the request that is invalid."""

    #: The field's path, such as ``top_k`` or ``requests[2].description``.
    field: str
    #: What is wrong with it, and what would be right.
    description: str


@dataclass(frozen=True)
class QuotaViolation:
    """A limit that the request would exceed."""

    #: Whom the limit holds for, such as an owner or an address.
    subject: str
    description: str


@dataclass(frozen=True)
class Resource:
    """The thing that does not exist."""

    type: str
    name: str


class ModelscoutError(Exception):
    """A call that failed. Its subclasses are named after the codes of gRPC."""

    #: The code of gRPC.
    code: grpc.StatusCode
    #: What went wrong and what would be right, in English.
    message: str
    #: What programs can rely on, such as ``MODEL_NOT_FOUND``. None if the error is not from the service, for example if
    #: nothing listens at the address.
    reason: Optional[str]
    #: Parameters of the message.
    metadata: Mapping[str, str]
    #: Every invalid field of the request.
    violations: Tuple[Violation, ...]
    #: Limits that the request would exceed.
    quota_violations: Tuple[QuotaViolation, ...]
    #: The thing that does not exist; None for other errors.
    resource: Optional[Resource]
    #: How long to wait before the call is repeated, in seconds. None if the service does not say so.
    retry_delay: Optional[float]

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        violations: Iterable[Violation] = (),
        quota_violations: Iterable[QuotaViolation] = (),
        resource: Optional[Resource] = None,
        retry_delay: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.violations = tuple(violations)
        self.quota_violations = tuple(quota_violations)
        self.resource = resource
        self.retry_delay = retry_delay

    def __str__(self) -> str:
        named = self.code.name if self.reason is None else f"{self.code.name}, {self.reason}"
        return f"{self.message} ({named})"

    def __reduce__(self) -> Any:
        # Exceptions are pickled by the arguments of their constructor, which here has named ones, too.
        # Other attributes, such as the notes of add_note(), are no arguments of it and are left out.
        return (_rebuild, (type(self), {name: getattr(self, name) for name in _PICKLED}))


class InvalidArgumentError(ModelscoutError):
    """The request is wrong; ``violations`` says what."""


class UnauthenticatedError(ModelscoutError):
    """The API key is not valid."""


class PermissionDeniedError(ModelscoutError):
    """The method needs a key of a higher tier."""


class NotFoundError(ModelscoutError):
    """There is no such thing; the message has the nearest names."""


class ResourceExhaustedError(ModelscoutError):
    """A quota or a limit is reached."""


class UnavailableError(ModelscoutError):
    """The service cannot be reached or cannot answer at the moment."""


class DeadlineExceededError(ModelscoutError):
    """The call took longer than its time limit."""


_CLASSES: Mapping[grpc.StatusCode, Type[ModelscoutError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgumentError,
    grpc.StatusCode.UNAUTHENTICATED: UnauthenticatedError,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDeniedError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhaustedError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceededError,
}
_CODES = {code.value[0]: code for code in grpc.StatusCode}


def error_of(code: grpc.StatusCode, message: str, details: Iterable[Any] = (), **more: Any) -> ModelscoutError:
    """Makes an exception of the class that belongs to a code.

    :param details: messages ``google.protobuf.Any`` with details of google.rpc; unknown and damaged ones are ignored.
    """
    for detail in details:
        try:
            _read_detail(detail, more)
        except DecodeError:
            continue
    return _CLASSES.get(code, ModelscoutError)(code, message, **more)


def error_of_status(status: Any) -> ModelscoutError:
    """The exception for a google.rpc.Status, such as the ``error`` of an answer in a batch. It is not raised."""
    return error_of(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, status.details)


def error_of_call(error: Any) -> ModelscoutError:
    """The exception for a grpc.RpcError of a call."""
    code = error.code() or grpc.StatusCode.UNKNOWN
    message = error.details() or code.name
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            status = status_pb2.Status()
            try:
                status.ParseFromString(value)
            except DecodeError:
                break
            return error_of(code, message, status.details)
    return error_of(code, message)


def _read_detail(detail: Any, into: dict[str, Any]) -> None:
    info = error_details_pb2.ErrorInfo()
    if _unpack(detail, info):
        if info.domain == _DOMAIN:
            into.update(reason=info.reason, metadata=dict(info.metadata))
        return
    request = error_details_pb2.BadRequest()
    if _unpack(detail, request):
        into["violations"] = [Violation(it.field, it.description) for it in request.field_violations]
        return
    quota = error_details_pb2.QuotaFailure()
    if _unpack(detail, quota):
        into["quota_violations"] = [QuotaViolation(it.subject, it.description) for it in quota.violations]
        return
    resource = error_details_pb2.ResourceInfo()
    if _unpack(detail, resource):
        into["resource"] = Resource(resource.resource_type, resource.resource_name)
        return
    retry = error_details_pb2.RetryInfo()
    if _unpack(detail, retry):
        delay = retry.retry_delay
        into["retry_delay"] = max(0.0, delay.seconds + delay.nanos / 1e9)


def _unpack(detail: Any, message: Message) -> bool:
    if not detail.Is(message.DESCRIPTOR):
        return False
    message.ParseFromString(detail.value)
    return True


def _rebuild(kind: Type[ModelscoutError], state: dict[str, Any]) -> ModelscoutError:
    return kind(state.pop("code"), state.pop("message"), **state)
