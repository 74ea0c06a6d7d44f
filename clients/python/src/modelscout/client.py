"""The clients: one channel, and an object for each service of the contract."""

from __future__ import annotations

from types import TracebackType
from typing import Any, List, Optional, Sequence, Tuple, Type
from urllib.parse import urlsplit

import grpc

from .calls import AsyncCaller, Caller, CallSettings, Metadata
from .retry import RetryPolicy
from .v1 import aio_services, services
from .version import __version__

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT = 60.0
_PORTS = {"http": 80, "https": 443}
_OPTIONS: Tuple[Tuple[str, Any], ...] = (
    ("grpc.primary_user_agent", f"modelscout-python/{__version__}"),
    # A page of 500 answers of a batch is larger than gRPC's own limit of 4 MB.
    ("grpc.max_receive_message_length", 256 * 1024 * 1024),
    # Finds connections that are dead without a word, as after a cut in the network: streams would wait forever.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)

Options = Sequence[Tuple[str, Any]]


class ModelscoutClient:
    """Calls a modelscout service. It can be used by several threads.

    :param url: the address of the service. ``https`` encrypts, ``http`` does not.
    :param api_key: the API key. Default: none, so calls are on the Free tier.
    :param admin_token: the operator's token, for ``admin``.
    :param timeout: seconds that a call may take, repetitions included; None for no limit. It does not hold for streams.
    :param retry: how calls are repeated.
    :param stream_retry: how streams are resumed. Failures count only until the next message.
    :param credentials: for ``https``, in place of the system's certificate authorities.
    :param options: further options of the gRPC channel. They take precedence over those of this package.
    :param channel: a channel of your own in place of ``url``, ``credentials`` and ``options``. ``close()`` closes it, too.
    """

    #: Recommends models for a need.
    recommendation: services.RecommendationService
    #: Lists, searches and compares models, and estimates what they need to run.
    inventory: services.InventoryService
    #: Pro: saves interests and follows their matches.
    interest: services.InterestService
    #: Pro: sends events to endpoints.
    webhook: services.WebhookService
    #: Pro: answers thousands of needs in the background.
    batch: services.BatchService
    #: For the operator: keys, syncs and their log.
    admin: services.AdminService

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        api_key: Optional[str] = None,
        admin_token: Optional[str] = None,
        timeout: Optional[float] = DEFAULT_TIMEOUT,
        retry: RetryPolicy = RetryPolicy(),
        stream_retry: RetryPolicy = RetryPolicy(attempts=10),
        credentials: Optional[grpc.ChannelCredentials] = None,
        options: Options = (),
        channel: Optional[grpc.Channel] = None,
    ) -> None:
        caller = Caller(CallSettings(_metadata(api_key, admin_token), timeout, retry, stream_retry))
        self._channel = _open(grpc, url, credentials, options) if channel is None else channel
        self.recommendation = services.RecommendationService(caller, self._channel)
        self.inventory = services.InventoryService(caller, self._channel)
        self.interest = services.InterestService(caller, self._channel)
        self.webhook = services.WebhookService(caller, self._channel)
        self.batch = services.BatchService(caller, self._channel)
        self.admin = services.AdminService(caller, self._channel)

    def close(self) -> None:
        """Closes the connection. Calls and streams that are under way end with an error."""
        self._channel.close()

    def __enter__(self) -> ModelscoutClient:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncModelscoutClient:
    """Calls a modelscout service from asyncio. Create it in the event loop that uses it.

    The parameters are those of ModelscoutClient; ``channel`` is a channel of ``grpc.aio``.
    """

    #: Recommends models for a need.
    recommendation: aio_services.RecommendationService
    #: Lists, searches and compares models, and estimates what they need to run.
    inventory: aio_services.InventoryService
    #: Pro: saves interests and follows their matches.
    interest: aio_services.InterestService
    #: Pro: sends events to endpoints.
    webhook: aio_services.WebhookService
    #: Pro: answers thousands of needs in the background.
    batch: aio_services.BatchService
    #: For the operator: keys, syncs and their log.
    admin: aio_services.AdminService

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        api_key: Optional[str] = None,
        admin_token: Optional[str] = None,
        timeout: Optional[float] = DEFAULT_TIMEOUT,
        retry: RetryPolicy = RetryPolicy(),
        stream_retry: RetryPolicy = RetryPolicy(attempts=10),
        credentials: Optional[grpc.ChannelCredentials] = None,
        options: Options = (),
        channel: Optional[grpc.aio.Channel] = None,
    ) -> None:
        caller = AsyncCaller(CallSettings(_metadata(api_key, admin_token), timeout, retry, stream_retry))
        self._channel = _open(grpc.aio, url, credentials, options) if channel is None else channel
        self.recommendation = aio_services.RecommendationService(caller, self._channel)
        self.inventory = aio_services.InventoryService(caller, self._channel)
        self.interest = aio_services.InterestService(caller, self._channel)
        self.webhook = aio_services.WebhookService(caller, self._channel)
        self.batch = aio_services.BatchService(caller, self._channel)
        self.admin = aio_services.AdminService(caller, self._channel)

    async def close(self) -> None:
        """Closes the connection. Calls and streams that are under way end with an error."""
        await self._channel.close()

    async def __aenter__(self) -> AsyncModelscoutClient:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()


def _open(module: Any, url: str, credentials: Optional[grpc.ChannelCredentials], options: Options) -> Any:
    """Opens a channel.

    :param module: ``grpc`` or ``grpc.aio``.
    """
    scheme, target = _target(url)
    own = {name for name, _ in options}
    merged: List[Tuple[str, Any]] = [option for option in _OPTIONS if option[0] not in own] + list(options)
    if scheme == "https":
        return module.secure_channel(target, credentials or grpc.ssl_channel_credentials(), options=merged)
    if credentials is not None:
        raise ValueError(f"credentials need an https address, and the address is {url!r}")
    return module.insecure_channel(target, options=merged)


def _target(url: str) -> Tuple[str, str]:
    """The scheme of an address, and its host and port."""
    form = "the address must be like https://models.example.com or http://127.0.0.1:8080"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        # An address with "@" may have a password, and the error may quote a part of it.
        shown = "The text" if "@" in url else repr(url)
        reason = "" if "@" in url else f" ({error})"
        raise ValueError(f"{shown} is not an address{reason}; {form}") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        shown = "The text" if "@" in url else repr(url)
        raise ValueError(f"{shown} is not an address of the service; {form}")
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.username is not None:
        # The address is not repeated: it may have a password.
        raise ValueError(f"The address has a path, a query, a fragment or a user, which gRPC cannot use; {form}")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return parts.scheme, f"{host}:{_PORTS[parts.scheme] if port is None else port}"


def _metadata(api_key: Optional[str], admin_token: Optional[str]) -> Metadata:
    metadata = []
    if api_key is not None:
        metadata.append(("x-api-key", _header_value("api_key", api_key)))
    if admin_token is not None:
        metadata.append(("authorization", f"Bearer {_header_value('admin_token', admin_token)}"))
    return tuple(metadata)


def _header_value(name: str, value: str) -> str:
    if not value or not value.isascii() or not value.isprintable() or " " in value:
        # The value itself must not get into logs.
        raise ValueError(f"{name} must be ASCII characters without blanks and line ends; it is secret, so it is not shown")
    return value
