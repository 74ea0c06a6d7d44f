"""Verifies webhooks by the Standard Webhooks specification (https://www.standardwebhooks.com/)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Iterable, Mapping, Optional, Tuple, Union

_PREFIX = "whsec_"
#: Enough for a signature by each of some secrets; a header of a stranger must not cost much.
_MOST_SIGNATURES = 32
_TIMESTAMP = re.compile(r"[0-9]{1,15}", re.ASCII)


class WebhookVerificationError(Exception):
    """A request that was not signed with the secret, or too long ago. Answer it with status 400."""


@dataclass(frozen=True)
class WebhookEvent:
    """An event that was verified."""

    #: The id of the event. Repeated deliveries have the same one: skip ids that you have already.
    id: str
    #: Such as ``model.matched``, ``batch.completed`` or ``webhook.test``. Ignore types that you do not know.
    type: str
    #: When the event happened.
    timestamp: datetime
    #: What happened, with the names of REST.
    data: Mapping[str, Any]


class Webhook:
    """Verifies the requests that a webhook sends.

    :param secrets: the secret, ``whsec_…``, or several of them. A request must be signed with one of them.
    :param tolerance: how old a request may be, and how far ahead its clock, in seconds.
    """

    def __init__(self, secrets: Union[str, Iterable[str]], *, tolerance: float = 300.0) -> None:
        self._keys = tuple(_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets))
        if not self._keys:
            raise ValueError("There is no secret; pass the secret of the webhook, whsec_…")
        # NaN is refused here, too: every comparison with it is false.
        if not tolerance >= 0:
            raise ValueError(f"tolerance must be 0 or more seconds, and is {tolerance!r}")
        self._tolerance = tolerance

    def verify(
        self, body: Union[bytes, str], headers: Mapping[str, str], *, now: Optional[float] = None
    ) -> WebhookEvent:
        """Verifies a request and reads its event.

        :param body: the body as it was received, not parsed and printed again.
        :param headers: the headers, in any letter case.
        :param now: the time in seconds since 1970. Default: the system's.
        :raises WebhookVerificationError: if the request was not signed with a secret, or too long ago.
        """
        self.check(body, headers, now=now)
        return _event(_header(_lower(headers), "id"), _bytes(body))

    def check(self, body: Union[bytes, str], headers: Mapping[str, str], *, now: Optional[float] = None) -> None:
        """Verifies a request without reading its event. The parameters are those of ``verify()``.

        :raises WebhookVerificationError: if the request was not signed with a secret, or too long ago.
        """
        lower = _lower(headers)
        message_id, timestamp, signatures = (_header(lower, name) for name in ("id", "timestamp", "signature"))
        self._check_time(timestamp, time.time() if now is None else now)
        # Headers of strangers can have anything in them; that must not be another exception.
        signed = b".".join((message_id.encode(errors="surrogatepass"), timestamp.encode(), _bytes(body)))
        if not self._is_signed(signed, signatures):
            raise WebhookVerificationError("No signature in webhook-signature was made with the secret")

    def _check_time(self, timestamp: str, now: float) -> None:
        if _TIMESTAMP.fullmatch(timestamp) is None:
            raise WebhookVerificationError("webhook-timestamp must be a number of seconds since 1970")
        age = now - int(timestamp)
        if not abs(age) <= self._tolerance:
            direction = "old" if age > 0 else "ahead of this machine's clock"
            raise WebhookVerificationError(
                f"The request is {abs(age):.0f} seconds {direction}; {self._tolerance:g} are allowed"
            )

    def _is_signed(self, signed: bytes, header: str) -> bool:
        expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in self._keys]
        is_signed = False
        # All are compared, so that the time taken says nothing about which one is right.
        for signature in _signatures(header):
            for own in expected:
                is_signed |= hmac.compare_digest(own, signature)
        return is_signed


def _key(secret: str) -> bytes:
    encoded = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        # The secret itself must not get into logs.
        raise ValueError("The secret of a webhook is whsec_ and base64, as CreateWebhook and RotateSecret return it")
    return key


def _bytes(body: Union[bytes, str]) -> bytes:
    return body.encode() if isinstance(body, str) else bytes(body)


def _lower(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(f"webhook-{name}")
    if not value:
        raise WebhookVerificationError(f"The header webhook-{name} is missing")
    return value


def _signatures(header: str) -> Tuple[bytes, ...]:
    """The signatures of version 1 in a header such as ``v1,K5o… v1,bm9…``."""
    found = []
    for part in header.split(" ", _MOST_SIGNATURES)[:_MOST_SIGNATURES]:
        version, _, encoded = part.partition(",")
        if version == "v1":
            try:
                found.append(base64.b64decode(encoded, validate=True))
            except (binascii.Error, ValueError):
                continue
    return tuple(found)


def _event(message_id: str, content: bytes) -> WebhookEvent:
    try:
        event = json.loads(content)
        # fromisoformat() of Python before 3.11 does not read the Z.
        timestamp = datetime.fromisoformat(event["timestamp"].replace("Z", "+00:00"))
        return WebhookEvent(message_id, event["type"], timestamp, event["data"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WebhookVerificationError("The body is signed, but it is no event of modelscout") from error
