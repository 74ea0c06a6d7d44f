"""Sends calls: adds the key and the time limit, repeats them by the policy, and raises typed errors."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass
from typing import Any, AsyncIterator, Callable, Iterator, Optional, Tuple

import grpc

from .errors import error_of, error_of_call
from .retry import RetryPolicy

Metadata = Tuple[Tuple[str, str], ...]


@dataclass(frozen=True)
class CallSettings:
    """What holds for every call of a client."""

    #: Sent with every call.
    metadata: Metadata
    #: Seconds that a call may take with all its repetitions; None for no limit. It does not hold for streams.
    timeout: Optional[float]
    retry: RetryPolicy
    #: For streams, which reconnect more patiently.
    stream_retry: RetryPolicy


class _Attempts:
    """The attempts at one call, within its time limit."""

    def __init__(self, settings: CallSettings, request: Any, timeout: Optional[float], repeatable: bool) -> None:
        self._policy = settings.retry
        self._failures = 0
        limit = settings.timeout if timeout is None else timeout
        self._end = None if limit is None else time.monotonic() + limit
        self.request, self._repeatable = _with_request_id(request, repeatable)

    def left(self) -> Optional[float]:
        """Seconds that the next attempt may take."""
        return None if self._end is None else max(0.001, self._end - time.monotonic())

    def delay_after(self, failure: Any) -> float:
        """The seconds to wait before the next attempt. It raises the error if there is none."""
        error = error_of_call(failure)
        self._failures += 1
        delay = self._policy.delay(error, self._failures, self._repeatable)
        if delay is None or (self._end is not None and time.monotonic() + delay >= self._end):
            raise error from failure
        return delay


def _with_request_id(request: Any, repeatable: bool) -> Tuple[Any, bool]:
    """Gives a request that creates something an id, so that a repetition does not create it again."""
    if "request_id" not in request.DESCRIPTOR.fields_by_name:
        return request, repeatable
    if not request.request_id:
        copy = type(request)()
        copy.CopyFrom(request)
        copy.request_id = str(uuid.uuid4())
        request = copy
    return request, True


class Caller:
    """Sends the calls of a ModelscoutClient."""

    def __init__(self, settings: CallSettings) -> None:
        self.settings = settings

    def unary(self, method: Any, request: Any, timeout: Optional[float], repeatable: bool) -> Any:
        """Calls a method that has one answer."""
        attempts = _Attempts(self.settings, request, timeout, repeatable)
        while True:
            try:
                return method(attempts.request, timeout=attempts.left(), metadata=self.settings.metadata)
            except grpc.RpcError as failure:
                delay = attempts.delay_after(failure)
            time.sleep(delay)

    def items(self, list_page: Callable[[Any], Any], request: Any, field: str) -> Iterator[Any]:
        """Reads a list page by page. The request itself is not changed."""
        page_request = type(request)()
        page_request.CopyFrom(request)
        while True:
            page = list_page(page_request)
            yield from getattr(page, field)
            if not _turn(page_request, page):
                return


class AsyncCaller:
    """Sends the calls of an AsyncModelscoutClient."""

    def __init__(self, settings: CallSettings) -> None:
        self.settings = settings

    async def unary(self, method: Any, request: Any, timeout: Optional[float], repeatable: bool) -> Any:
        """Calls a method that has one answer."""
        attempts = _Attempts(self.settings, request, timeout, repeatable)
        while True:
            try:
                return await method(attempts.request, timeout=attempts.left(), metadata=self.settings.metadata)
            except grpc.RpcError as failure:
                delay = attempts.delay_after(failure)
            await asyncio.sleep(delay)

    async def items(self, list_page: Callable[[Any], Any], request: Any, field: str) -> AsyncIterator[Any]:
        """Reads a list page by page. The request itself is not changed."""
        page_request = type(request)()
        page_request.CopyFrom(request)
        while True:
            page = await list_page(page_request)
            for item in getattr(page, field):
                yield item
            if not _turn(page_request, page):
                return


def _turn(request: Any, page: Any) -> bool:
    """Makes the request one for the next page. It returns False if there is none."""
    token = page.next_page_token
    if token and token == request.page_token:
        # It would never end.
        raise error_of(grpc.StatusCode.INTERNAL, "The service sent the same next_page_token twice")
    request.page_token = token
    return bool(token)
