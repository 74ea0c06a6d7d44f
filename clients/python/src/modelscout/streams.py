"""Streams that resume after the last message that was received."""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType
from typing import Any, AsyncIterator, Generic, Iterator, Optional, Type, TypeVar

import grpc

from .calls import CallSettings
from .errors import ModelscoutError, UnauthenticatedError, error_of, error_of_call

Item = TypeVar("Item")


def _lost() -> ModelscoutError:
    return error_of(grpc.StatusCode.UNAVAILABLE, "The stream ended without a closing message")


class _Position:
    """Where a stream is, and how often it failed since the last message."""

    def __init__(self, settings: CallSettings, request: Any) -> None:
        self._policy = settings.stream_retry
        self._failures = 0
        self.request = type(request)()
        self.request.CopyFrom(request)
        self.end: Optional[Any] = None

    @property
    def cursor(self) -> Optional[str]:
        return self.request.after if self.request.HasField("after") else None

    def take(self, message: Any) -> Optional[Any]:
        """Notes a message. It returns the item in it, and None for other messages."""
        kind = message.WhichOneof("event")
        if kind is None:
            # A kind of message that a later version of the service added.
            return None
        event = getattr(message, kind)
        self.request.after = event.cursor
        if kind == "closing":
            if event.reason == "key-invalid":
                raise error_of(grpc.StatusCode.UNAUTHENTICATED, "The stream ended: its key expired or was revoked")
            raise error_of(grpc.StatusCode.UNAVAILABLE, f"The service ended the stream: {event.reason}")
        self._failures = 0
        if kind == "end":
            self.end = event
        return None if kind in ("heartbeat", "end") else event

    def delay_after(self, error: ModelscoutError) -> float:
        """The seconds to wait before the stream is resumed. It raises the error if it is not to be resumed."""
        self._failures += 1
        delay = self._policy.delay_of_stream(error, self._failures)
        if delay is None:
            raise error
        return delay


class ResumingStream(Generic[Item]):
    """The items of a stream. If the connection breaks or the service restarts, it resumes after the last message.

    Read it with ``for``, and close it when you need no more of it, best by ``with``. ``close()`` may be called by another
    thread; the loop ends then.
    """

    def __init__(self, settings: CallSettings, method: Any, request: Any) -> None:
        self._metadata = settings.metadata
        self._method = method
        self._position = _Position(settings, request)
        self._closed = threading.Event()
        self._call: Any = None
        self._items = self._read()

    @property
    def cursor(self) -> Optional[str]:
        """The position of the last message, to resume there later with ``after``; None before the first one."""
        return self._position.cursor

    @property
    def end(self) -> Optional[Any]:
        """The message ``end``, which streams with an end send last; None before."""
        return self._position.end

    def __iter__(self) -> Iterator[Item]:
        return self._items

    def __next__(self) -> Item:
        return next(self._items)

    def close(self) -> None:
        """Ends the stream."""
        self._closed.set()
        call = self._call
        if call is not None:
            call.cancel()

    def __enter__(self) -> ResumingStream[Item]:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def _read(self) -> Iterator[Item]:
        position = self._position
        try:
            while not self._closed.is_set():
                cause: Optional[Exception] = None
                try:
                    yield from self._read_once()
                    if position.end is not None or self._closed.is_set():
                        return
                    failed = _lost()
                except grpc.RpcError as error:
                    if self._closed.is_set():
                        return
                    failed, cause = error_of_call(error), error
                except UnauthenticatedError:
                    raise
                except ModelscoutError as error:
                    failed = error
                failed.__cause__ = cause
                self._closed.wait(position.delay_after(failed))
        finally:
            self.close()

    def _read_once(self) -> Iterator[Item]:
        call = self._method(self._position.request, metadata=self._metadata)
        self._call = call
        if self._closed.is_set():
            # close() came before it could see the call.
            call.cancel()
        try:
            for message in call:
                item = self._position.take(message)
                if item is not None:
                    yield item
                if self._position.end is not None:
                    return
        finally:
            call.cancel()


class AsyncResumingStream(Generic[Item]):
    """The items of a stream. If the connection breaks or the service restarts, it resumes after the last message.

    Read it with ``async for``, and close it when you need no more of it, best by ``async with``.
    """

    def __init__(self, settings: CallSettings, method: Any, request: Any) -> None:
        self._metadata = settings.metadata
        self._method = method
        self._position = _Position(settings, request)
        self._is_closed = False
        self._call: Any = None
        self._wait: Optional[asyncio.Future[None]] = None
        self._items = self._read()

    @property
    def cursor(self) -> Optional[str]:
        """The position of the last message, to resume there later with ``after``; None before the first one."""
        return self._position.cursor

    @property
    def end(self) -> Optional[Any]:
        """The message ``end``, which streams with an end send last; None before."""
        return self._position.end

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._items

    async def __anext__(self) -> Item:
        return await self._items.__anext__()

    async def close(self) -> None:
        """Ends the stream."""
        self._is_closed = True
        if self._call is not None:
            self._call.cancel()
        if self._wait is not None:
            self._wait.cancel()

    async def __aenter__(self) -> AsyncResumingStream[Item]:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def _read(self) -> AsyncIterator[Item]:
        position = self._position
        while not self._is_closed:
            cause: Optional[Exception] = None
            try:
                async for item in self._read_once():
                    yield item
                if position.end is not None or self._is_closed:
                    return
                failed = _lost()
            except asyncio.CancelledError:
                # grpc.aio raises this, too, when close() cancels the call.
                if self._is_closed:
                    return
                raise
            except grpc.RpcError as error:
                if self._is_closed:
                    return
                failed, cause = error_of_call(error), error
            except UnauthenticatedError:
                raise
            except ModelscoutError as error:
                failed = error
            failed.__cause__ = cause
            await self._pause(position.delay_after(failed))

    async def _read_once(self) -> AsyncIterator[Item]:
        call = self._method(self._position.request, metadata=self._metadata)
        self._call = call
        try:
            async for message in call:
                item = self._position.take(message)
                if item is not None:
                    yield item
                if self._position.end is not None:
                    return
        finally:
            call.cancel()

    async def _pause(self, seconds: float) -> None:
        """Waits, until close() at the longest."""
        self._wait = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait([self._wait], timeout=seconds)
        finally:
            self._wait.cancel()
            self._wait = None
