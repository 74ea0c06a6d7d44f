"""Calls are repeated by the policy, and errors have types."""

from __future__ import annotations

import pickle
import time
import unittest
from typing import Any, Callable, Dict, List, Tuple

import grpc

from fake_service import FakeService, Refusal, packed
from modelscout import (
    AsyncModelscoutClient,
    DeadlineExceededError,
    ModelscoutClient,
    ModelscoutError,
    NotFoundError,
    ResourceExhaustedError,
    RetryPolicy,
    UnavailableError,
    error_of_status,
)
from modelscout.google_rpc import error_details_pb2, status_pb2
from modelscout.v1 import (
    CreateInterestRequest,
    GetModelRequest,
    GetUsageResponse,
    Interest,
    ListInterestsRequest,
    ListInterestsResponse,
    ModelEntry,
    RecommendRequest,
    RecommendResponse,
)

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
FAST = RetryPolicy(attempts=3, longest_delay=1, first_delay=0.01)


def failing(times: int, refusal: Refusal, answer: Any) -> Callable[[Any, Any], Any]:
    """Answers after some failures."""
    left = [times]

    def respond(request: Any, context: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise refusal
        return answer

    return respond


class CallsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.service = FakeService()
        self.addCleanup(self.service.stop)

    def client(self, **options: Any) -> ModelscoutClient:
        client = ModelscoutClient(self.service.url, retry=FAST, **options)
        self.addCleanup(client.close)
        return client

    def test_sends_key_token_and_user_agent(self) -> None:
        self.service.answers["GetUsage"] = lambda *_: GetUsageResponse(tier="pro")
        client = self.client(api_key="ms_live_key", admin_token="token")
        self.assertEqual(client.recommendation.get_usage().tier, "pro")
        sent = self.service.metadata[0]
        self.assertEqual(sent["x-api-key"], "ms_live_key")
        self.assertEqual(sent["authorization"], "Bearer token")
        self.assertRegex(sent["user-agent"], r"^modelscout-python/\d")

    def test_repeats_a_refused_call_after_the_time_that_the_service_names(self) -> None:
        refusal = Refusal(EXHAUSTED, "BURST_EXCEEDED", 0.05)
        self.service.answers["Recommend"] = failing(2, refusal, RecommendResponse(models_searched=7))
        started = time.monotonic()
        answer = self.client().recommendation.recommend(RecommendRequest(description="chat"))
        self.assertEqual(answer.models_searched, 7)
        self.assertEqual(len(self.service.requests), 3)
        self.assertGreaterEqual(time.monotonic() - started, 0.1)

    def test_raises_at_once_if_the_wait_is_too_long(self) -> None:
        self.service.answers["Recommend"] = failing(9, Refusal(EXHAUSTED, "QUOTA_EXHAUSTED", 3600), None)
        with self.assertRaises(ResourceExhaustedError) as caught:
            self.client().recommendation.recommend(RecommendRequest(description="chat"))
        self.assertEqual(caught.exception.retry_delay, 3600)
        self.assertEqual(len(self.service.requests), 1)

    def test_raises_after_the_last_attempt(self) -> None:
        self.service.answers["Recommend"] = failing(9, Refusal(UNAVAILABLE, "OVERLOADED", 0.01), None)
        with self.assertRaises(UnavailableError) as caught:
            self.client().recommendation.recommend(RecommendRequest(description="chat"))
        self.assertEqual(caught.exception.reason, "OVERLOADED")
        self.assertEqual(len(self.service.requests), 3)

    def test_repeats_only_harmless_calls_if_the_service_says_nothing(self) -> None:
        self.service.answers["GetModel"] = failing(1, Refusal(UNAVAILABLE, None), ModelEntry(name="a/b"))
        self.assertEqual(self.client().inventory.get_model(GetModelRequest(model_name="a/b")).name, "a/b")
        self.service.requests.clear()
        self.service.answers["Recommend"] = failing(1, Refusal(UNAVAILABLE, None), RecommendResponse())
        with self.assertRaises(UnavailableError):
            self.client().recommendation.recommend(RecommendRequest(description="chat"))
        self.assertEqual(len(self.service.requests), 1)

    def test_does_not_repeat_errors_of_the_caller(self) -> None:
        self.service.answers["GetModel"] = failing(1, Refusal(grpc.StatusCode.NOT_FOUND, "MODEL_NOT_FOUND"), ModelEntry())
        with self.assertRaises(NotFoundError):
            self.client().inventory.get_model(GetModelRequest(model_name="a/b"))

    def test_gives_calls_that_create_something_the_same_id_in_each_attempt(self) -> None:
        self.service.answers["CreateInterest"] = failing(1, Refusal(UNAVAILABLE, None), Interest(id="int_1"))
        request = CreateInterestRequest(interest=Interest(name="a"))
        self.assertEqual(self.client().interest.create_interest(request).id, "int_1")
        first, second = (it.request_id for it in self.service.requests)
        self.assertEqual(first, second)
        self.assertEqual(len(first), 36)
        self.assertEqual(request.request_id, "", "the caller's request is not changed")
        self.service.requests.clear()
        self.client().interest.create_interest(CreateInterestRequest(interest=Interest(), request_id="mine"))
        self.assertEqual(self.service.requests[0].request_id, "mine")

    def test_keeps_the_time_limit_over_all_attempts(self) -> None:
        self.service.answers["GetModel"] = failing(9, Refusal(UNAVAILABLE, "OVERLOADED", 25), None)
        patient = ModelscoutClient(self.service.url, retry=RetryPolicy())
        self.addCleanup(patient.close)
        with self.assertRaises(UnavailableError):
            patient.inventory.get_model(GetModelRequest(model_name="a/b"), timeout=20)
        self.assertEqual(len(self.service.requests), 1, "a repetition would come too late")

        def answer_late(*_: Any) -> ModelEntry:
            time.sleep(1)
            return ModelEntry()

        self.service.answers["GetModel"] = answer_late
        with self.assertRaises(DeadlineExceededError):
            self.client(timeout=0.1).inventory.get_model(GetModelRequest(model_name="a/b"))

    def test_reads_all_pages(self) -> None:
        pages: Dict[str, Tuple[List[str], str]] = {"": (["a", "b"], "p2"), "p2": ([], "p3"), "p3": (["c"], "")}

        def page(request: Any, _: Any) -> ListInterestsResponse:
            names, following = pages[request.page_token]
            return ListInterestsResponse(interests=[Interest(name=it) for it in names], next_page_token=following)

        self.service.answers["ListInterests"] = page
        request = ListInterestsRequest(page_size=2)
        names = [it.name for it in self.client().interest.iter_interests(request)]
        self.assertEqual(names, ["a", "b", "c"])
        self.assertEqual([it.page_size for it in self.service.requests], [2, 2, 2])
        self.assertEqual(request.page_token, "", "the caller's request is not changed")

    def test_does_not_read_the_same_page_forever(self) -> None:
        self.service.answers["ListInterests"] = lambda *_: ListInterestsResponse(next_page_token="again")
        with self.assertRaisesRegex(ModelscoutError, "same next_page_token twice"):
            list(self.client().interest.iter_interests())

    def test_a_service_that_is_not_there_is_unavailable(self) -> None:
        self.service.stop()
        with self.assertRaises(UnavailableError) as caught:
            self.client().recommendation.get_usage()
        self.assertIsNone(caught.exception.reason)

    def test_refuses_wrong_addresses_and_keys(self) -> None:
        for url in ("127.0.0.1:8080", "ftp://a", "http://", "http://a:b", "http://a/v1", "https://user:geheim@a", "http://[::1",
                    "http://user:geheim@a:99999", "ftp://user:geheim@a", "http://user:geheim/1@a"):
            with self.assertRaisesRegex(ValueError, "address must be like") as caught:
                ModelscoutClient(url)
            self.assertNotIn("geheim", str(caught.exception))
        for key in ("", "with blank", "geheim\n", "schlüssel"):
            with self.assertRaisesRegex(ValueError, "api_key must be") as caught:
                ModelscoutClient(api_key=key)
            self.assertNotIn("geheim", str(caught.exception))
        with self.assertRaisesRegex(ValueError, "need an https address"):
            ModelscoutClient("http://a", credentials=grpc.ssl_channel_credentials())
        with self.assertRaisesRegex(ValueError, "1 or more"):
            RetryPolicy(attempts=0)
        with self.assertRaisesRegex(ValueError, "first_delay"):
            RetryPolicy(first_delay=2, longest_delay=1)
        for url in ("http://[::1]:8080", "https://models.example.com", "HTTP://127.0.0.1/"):
            ModelscoutClient(url).close()


class ErrorsTest(unittest.TestCase):
    def test_reads_all_details_and_ignores_unknown_ones(self) -> None:
        details: List[Any] = [
            error_details_pb2.ErrorInfo(reason="A", domain="modelscout", metadata={"limit": "5"}),
            error_details_pb2.BadRequest(field_violations=[{"field": "top_k", "description": "must be 1 to 50"}]),
            error_details_pb2.QuotaFailure(violations=[{"subject": "owner", "description": "5 batches"}]),
            error_details_pb2.ResourceInfo(resource_type="model", resource_name="a/b"),
            error_details_pb2.RetryInfo(retry_delay={"seconds": 1, "nanos": 500_000_000}),
            error_details_pb2.DebugInfo(detail="unknown here"),
        ]
        damaged = packed(error_details_pb2.RetryInfo())
        damaged.value = b"\xff"
        status = status_pb2.Status(code=8, message="No", details=[*map(packed, details), damaged])
        error = error_of_status(status)
        self.assertIsInstance(error, ResourceExhaustedError)
        self.assertEqual((error.reason, error.metadata, error.retry_delay), ("A", {"limit": "5"}, 1.5))
        self.assertEqual([(it.field, it.description) for it in error.violations], [("top_k", "must be 1 to 50")])
        self.assertEqual([it.subject for it in error.quota_violations], ["owner"])
        self.assertEqual((error.resource.type, error.resource.name) if error.resource else None, ("model", "a/b"))
        self.assertEqual(str(error), "No (RESOURCE_EXHAUSTED, A)")

        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), copy.__dict__), (type(error), error.__dict__))
        error.__dict__["__notes__"] = ["a note"]  # as add_note() of Python 3.11 does
        self.assertEqual(pickle.loads(pickle.dumps(error)).__dict__, copy.__dict__)

    def test_takes_reasons_of_this_service_only(self) -> None:
        other = error_details_pb2.ErrorInfo(reason="B", domain="example.com")
        error = error_of_status(status_pb2.Status(code=99, message="?", details=[packed(other)]))
        self.assertIsNone(error.reason)
        self.assertIs(error.code, grpc.StatusCode.UNKNOWN)
        self.assertIs(type(error), ModelscoutError)


class AsyncCallsTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.service = FakeService()
        self.addCleanup(self.service.stop)

    async def test_repeats_refused_calls_and_raises_typed_errors(self) -> None:
        async with AsyncModelscoutClient(self.service.url, api_key="k", retry=FAST) as client:
            self.service.answers["Recommend"] = failing(2, Refusal(UNAVAILABLE, "OVERLOADED", 0.01), RecommendResponse())
            await client.recommendation.recommend(RecommendRequest(description="chat"))
            self.assertEqual(len(self.service.requests), 3)
            self.assertEqual(self.service.metadata[0]["x-api-key"], "k")

            self.service.answers["GetModel"] = failing(9, Refusal(UNAVAILABLE, None), None)
            with self.assertRaises(UnavailableError):
                await client.inventory.get_model(GetModelRequest(model_name="a/b"))
            self.assertEqual(len(self.service.requests), 6)

    async def test_reads_all_pages(self) -> None:
        following = {"": "p2", "p2": ""}
        self.service.answers["ListInterests"] = lambda request, _: ListInterestsResponse(
            interests=[Interest(name=request.page_token)], next_page_token=following[request.page_token]
        )
        async with AsyncModelscoutClient(self.service.url, retry=FAST) as client:
            self.assertEqual([it.name async for it in client.interest.iter_interests()], ["", "p2"])


if __name__ == "__main__":
    unittest.main()
