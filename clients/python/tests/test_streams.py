"""Streams resume after the last message."""

from __future__ import annotations

import asyncio
import threading
import unittest
from typing import Any, Iterator, List

import grpc

from fake_service import FakeService, Refusal
from modelscout import (
    AsyncModelscoutClient,
    ModelscoutClient,
    PermissionDeniedError,
    RetryPolicy,
    UnauthenticatedError,
    UnavailableError,
)
from modelscout.v1 import (
    Batch,
    BatchResult,
    BatchStreamEnd,
    BatchStreamResult,
    Match,
    StreamBatchResultsRequest,
    StreamBatchResultsResponse,
    StreamClosing,
    StreamHeartbeat,
    WatchMatchesRequest,
    WatchMatchesResponse,
)

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
FAST = RetryPolicy(attempts=3, longest_delay=0.5, first_delay=0.01)


def match(cursor: str) -> WatchMatchesResponse:
    return WatchMatchesResponse(match=Match(id=f"mat_{cursor}", cursor=cursor))


def heartbeat(cursor: str) -> WatchMatchesResponse:
    return WatchMatchesResponse(heartbeat=StreamHeartbeat(cursor=cursor))


def closing(cursor: str, reason: str = "shutting-down") -> WatchMatchesResponse:
    return WatchMatchesResponse(closing=StreamClosing(cursor=cursor, reason=reason))


def parts(*scripts: Any) -> Any:
    """Answers the first stream with the first script, and so on. A script has messages and refusals."""
    left = list(scripts)

    def respond(request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        for step in left.pop(0):
            if isinstance(step, Refusal):
                raise step
            if step == "wait":
                ended = threading.Event()
                context.add_callback(ended.set)
                ended.wait()
                return
            yield step

    return respond


class StreamsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()
        self.addCleanup(self.service.stop)
        self.client = ModelscoutClient(self.service.url, api_key="k", stream_retry=FAST)
        self.addCleanup(self.client.close)

    def after(self) -> List[Any]:
        """Where each stream started so far."""
        return [it.after if it.HasField("after") else None for it in self.service.requests]

    def test_resumes_after_breaks_closings_and_heartbeats(self) -> None:
        self.service.answers["WatchMatches"] = parts(
            [heartbeat("1"), match("2"), Refusal(UNAVAILABLE, None)],
            [match("3"), closing("4")],
            [heartbeat("5"), Refusal(grpc.StatusCode.INTERNAL, None)],
            [WatchMatchesResponse()],
            [match("6"), "wait"],
        )
        got = []
        request = WatchMatchesRequest(interest_ids=["int_1"])
        with self.client.interest.watch_matches(request) as stream:
            self.assertIsNone(stream.cursor)
            for item in stream:
                got.append(item.id)
                self.assertEqual(stream.cursor, item.cursor)
                if item.cursor == "6":
                    break
        self.assertEqual(got, ["mat_2", "mat_3", "mat_6"])
        self.assertEqual(self.after(), [None, "2", "4", "5", "5"])
        self.assertEqual([list(it.interest_ids) for it in self.service.requests], [["int_1"]] * 5)
        self.assertFalse(request.HasField("after"), "the caller's request is not changed")

    def test_ends_with_the_error_if_it_cannot_resume(self) -> None:
        broken = [Refusal(UNAVAILABLE, None)]
        self.service.answers["WatchMatches"] = parts([match("1"), *broken], broken, broken, broken)
        stream = self.client.interest.watch_matches(WatchMatchesRequest(after="0"))
        self.assertEqual(next(stream).cursor, "1")
        with self.assertRaises(UnavailableError):
            next(stream)
        self.assertEqual(self.after(), ["0", "1", "1"], "three failures without a message between them")

    def test_does_not_resume_where_that_is_no_use(self) -> None:
        self.service.answers["WatchMatches"] = parts([Refusal(grpc.StatusCode.PERMISSION_DENIED, "TIER_TOO_LOW")])
        with self.assertRaises(PermissionDeniedError):
            next(self.client.interest.watch_matches())
        self.service.answers["WatchMatches"] = parts([match("1"), closing("2", "key-invalid")])
        stream = self.client.interest.watch_matches()
        next(stream)
        with self.assertRaisesRegex(UnauthenticatedError, "expired or was revoked"):
            next(stream)
        self.assertEqual(len(self.service.requests), 2)

    def test_a_batch_ends_its_stream(self) -> None:
        def result(index: int) -> StreamBatchResultsResponse:
            message = BatchStreamResult(cursor=str(index), result=BatchResult(index=index))
            return StreamBatchResultsResponse(result=message)

        end = BatchStreamEnd(cursor="9", batch=Batch(id="bat_1", state="succeeded"))
        self.service.answers["StreamBatchResults"] = parts(
            [result(0), Refusal(UNAVAILABLE, None)], [result(1), StreamBatchResultsResponse(end=end)]
        )
        stream = self.client.batch.stream_batch_results(StreamBatchResultsRequest(batch_id="bat_1"))
        self.assertEqual([it.result.index for it in stream], [0, 1])
        self.assertEqual(stream.end, end)
        self.assertEqual(self.after(), [None, "0"])

    def test_another_thread_can_close_it(self) -> None:
        self.service.answers["WatchMatches"] = parts([match("1"), "wait"])
        stream = self.client.interest.watch_matches()
        self.assertEqual(next(stream).cursor, "1")
        timer = threading.Timer(0.1, stream.close)
        timer.start()
        self.assertEqual(list(stream), [])
        timer.join()
        self.assertEqual(list(stream), [])

    def test_close_ends_a_wait_for_the_next_attempt(self) -> None:
        client = ModelscoutClient(self.service.url, stream_retry=RetryPolicy(first_delay=60, longest_delay=60))
        self.addCleanup(client.close)
        self.service.answers["WatchMatches"] = parts([match("1"), Refusal(UNAVAILABLE, None)])
        stream = client.interest.watch_matches()
        next(stream)
        timer = threading.Timer(0.1, stream.close)
        timer.start()
        self.assertEqual(list(stream), [])


class AsyncStreamsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.service = FakeService()
        self.addCleanup(self.service.stop)

    def after(self) -> List[Any]:
        return [it.after if it.HasField("after") else None for it in self.service.requests]

    async def test_resumes_after_breaks_and_closings(self) -> None:
        self.service.answers["WatchMatches"] = parts(
            [heartbeat("1"), match("2"), Refusal(UNAVAILABLE, None)], [match("3"), closing("4")], [match("5"), "wait"]
        )
        got = []
        async with AsyncModelscoutClient(self.service.url, stream_retry=FAST) as client:
            async with client.interest.watch_matches() as stream:
                async for item in stream:
                    got.append(item.cursor)
                    if item.cursor == "5":
                        break
        self.assertEqual(got, ["2", "3", "5"])
        self.assertEqual(self.after(), [None, "2", "4"])

    async def test_ends_with_the_error_if_it_cannot_resume(self) -> None:
        broken = [Refusal(UNAVAILABLE, None)]
        self.service.answers["WatchMatches"] = parts(broken, broken, broken)
        async with AsyncModelscoutClient(self.service.url, stream_retry=FAST) as client:
            with self.assertRaises(UnavailableError):
                async for _ in client.interest.watch_matches():
                    self.fail("there is no message")
            self.service.answers["WatchMatches"] = parts([closing("2", "key-invalid")])
            with self.assertRaises(UnauthenticatedError):
                async for _ in client.interest.watch_matches():
                    self.fail("there is no message")

    async def test_another_task_can_close_it(self) -> None:
        self.service.answers["WatchMatches"] = parts([match("1"), "wait"])
        async with AsyncModelscoutClient(self.service.url) as client:
            stream = client.interest.watch_matches()
            self.assertEqual((await stream.__anext__()).cursor, "1")
            asyncio.get_running_loop().call_later(0.1, lambda: asyncio.ensure_future(stream.close()))
            self.assertEqual([it async for it in stream], [])

    async def test_close_ends_a_wait_for_the_next_attempt(self) -> None:
        patient = RetryPolicy(first_delay=60, longest_delay=60)
        self.service.answers["WatchMatches"] = parts([match("1"), Refusal(UNAVAILABLE, None)])
        async with AsyncModelscoutClient(self.service.url, stream_retry=patient) as client:
            stream = client.interest.watch_matches()
            await stream.__anext__()
            asyncio.get_running_loop().call_later(0.2, lambda: asyncio.ensure_future(stream.close()))
            self.assertEqual([it async for it in stream], [])

    async def test_cancelling_the_task_is_not_swallowed(self) -> None:
        self.service.answers["WatchMatches"] = parts([match("1"), "wait"])

        async def read() -> None:
            async with AsyncModelscoutClient(self.service.url) as client:
                async for _ in client.interest.watch_matches():
                    arrived.set()

        arrived = asyncio.Event()
        task = asyncio.ensure_future(read())
        await arrived.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task


if __name__ == "__main__":
    unittest.main()
