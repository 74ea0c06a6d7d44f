"""The clients against a running service; test/packages/python/service.test.ts starts it and runs this."""

from __future__ import annotations

import asyncio
import os
import threading
import unittest
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, List, Tuple

import grpc

from cutting_proxy import CuttingProxy
from modelscout import (
    AsyncModelscoutClient,
    InvalidArgumentError,
    ModelscoutClient,
    ModelscoutError,
    NotFoundError,
    PermissionDeniedError,
    ResourceExhaustedError,
    RetryPolicy,
    UnauthenticatedError,
    UnavailableError,
    Webhook,
    WebhookVerificationError,
    error_of_status,
)
from modelscout.v1 import (
    Batch,
    BatchRecommendRequest,
    CreateBatchRequest,
    CreateInterestRequest,
    CreateWebhookRequest,
    GetModelRequest,
    Interest,
    ListInterestsRequest,
    RecommendRequest,
    SearchModelsRequest,
    StreamBatchResultsRequest,
    TestWebhookRequest,
    WatchMatchesRequest,
)
from modelscout.v1 import Webhook as WebhookMessage

URL = os.environ.get("MODELSCOUT_TEST_URL", "")
KEY = os.environ.get("MODELSCOUT_TEST_KEY", "")
#: The same over TLS, with a certificate that signs itself.
TLS_URL = os.environ.get("MODELSCOUT_TEST_TLS_URL", "")
TLS_CERT = os.environ.get("MODELSCOUT_TEST_TLS_CERT", "")
#: A POST of a name to it adds a model of that name, for transcribing.
CONTROL = os.environ.get("MODELSCOUT_TEST_CONTROL", "")


def add_model(name: str) -> None:
    with urllib.request.urlopen(urllib.request.Request(CONTROL, data=name.encode())) as answer:
        answer.read()


def meetings(name: str) -> CreateInterestRequest:
    interest = Interest(name=name, description="transcribe meetings in English", min_score=0.05)
    return CreateInterestRequest(interest=interest)


@unittest.skipUnless(URL, "no service is running; test/packages/python/service.test.ts starts one")
class ServiceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = ModelscoutClient(URL, api_key=KEY)
        self.addCleanup(self.client.close)

    def test_recommends(self) -> None:
        answer = self.client.recommendation.recommend(RecommendRequest(description="transcribe meetings", top_k=3))
        self.assertEqual(len(answer.results), 3)
        self.assertIn("audio", [it.task_type for it in answer.understood.tasks])
        self.assertTrue(all(it.reasons and it.model.name for it in answer.results))
        self.assertEqual(self.client.recommendation.get_usage().tier, "pro")

    def test_calls_over_tls_and_refuses_certificates_that_it_does_not_know(self) -> None:
        credentials = grpc.ssl_channel_credentials(Path(TLS_CERT).read_bytes())
        with ModelscoutClient(TLS_URL, credentials=credentials) as client:
            self.assertEqual([it.name for it in client.inventory.iter_models()], ["acme/only"])
        with ModelscoutClient(TLS_URL, retry=RetryPolicy(attempts=1)) as client, self.assertRaises(UnavailableError):
            client.inventory.list_families()

    def test_errors_of_the_service_have_types(self) -> None:
        with self.assertRaises(InvalidArgumentError) as invalid:
            self.client.recommendation.recommend(RecommendRequest(description="", top_k=99))
        self.assertEqual(invalid.exception.reason, "INVALID_REQUEST")
        self.assertEqual(sorted(it.field for it in invalid.exception.violations), ["description", "top_k"])

        with self.assertRaises(NotFoundError) as missing:
            self.client.inventory.get_model(GetModelRequest(model_name="openai/whisper-tinny"))
        self.assertEqual(missing.exception.reason, "MODEL_NOT_FOUND")
        resource = missing.exception.resource
        self.assertEqual(resource.name if resource else None, "openai/whisper-tinny")

        with ModelscoutClient(URL, api_key=KEY[:-1] + "!") as client, self.assertRaises(UnauthenticatedError):
            client.recommendation.get_usage()

        needs = [RecommendRequest(description="chat"), RecommendRequest(description="")]
        good, bad = self.client.recommendation.batch_recommend(BatchRecommendRequest(requests=needs)).answers
        self.assertTrue(good.HasField("response"))
        self.assertIsInstance(error_of_status(bad.error), InvalidArgumentError)

    def test_the_quota_of_callers_without_a_key_is_not_waited_for(self) -> None:
        with ModelscoutClient(URL) as free:
            with self.assertRaises(PermissionDeniedError):
                free.interest.list_interests(ListInterestsRequest())
            with self.assertRaises(ResourceExhaustedError) as caught:
                for _ in range(10):
                    free.recommendation.recommend(RecommendRequest(description="chat"))
        self.assertEqual(caught.exception.reason, "QUOTA_EXHAUSTED")
        # Until midnight UTC.
        self.assertGreater(caught.exception.retry_delay or 0, 0)
        self.assertTrue(caught.exception.quota_violations)

    def test_waits_when_the_service_limits_the_rate(self) -> None:
        with ModelscoutClient(URL, api_key=KEY, retry=RetryPolicy(attempts=1)) as hasty:
            with self.assertRaises(ResourceExhaustedError) as caught:
                for _ in range(2_000):
                    hasty.recommendation.get_usage()
        self.assertEqual(caught.exception.reason, "BURST_EXCEEDED")
        self.assertLess(caught.exception.retry_delay or 99, 5)
        for _ in range(20):
            self.client.recommendation.get_usage()

    def test_pages_have_every_model_once(self) -> None:
        request = SearchModelsRequest(family="whisper", page_size=3)
        names = [it.name for it in self.client.inventory.iter_models(request)]
        self.assertEqual(len(names), self.client.inventory.search_models(request).total)
        self.assertEqual(len(set(names)), len(names))
        self.assertGreater(len(names), 6)

    def test_a_repeated_creation_creates_nothing(self) -> None:
        request = meetings("once")
        request.request_id = "python-once"
        first, second = self.client.interest.create_interest(request), self.client.interest.create_interest(request)
        self.assertEqual(first.id, second.id)

    def test_matches_resume_over_cut_connections(self) -> None:
        proxy = CuttingProxy(URL)
        self.addCleanup(proxy.close)
        interest = self.client.interest.create_interest(meetings("stream"))
        request = WatchMatchesRequest(after="0", interest_ids=[interest.id])
        names = ["python/first", "python/second", "python/third"]
        with ModelscoutClient(proxy.url, api_key=KEY) as client:
            with client.interest.watch_matches(request) as stream:
                for name in names:
                    add_model(name)
                    match = next(stream)
                    self.assertEqual((match.model.name, match.cursor), (name, stream.cursor))
                    proxy.cut()
        self.assertGreaterEqual(proxy.connections, 3)
        with self.client.interest.watch_matches(request) as stream:
            self.assertEqual([next(stream).model.name for _ in names], names)

    def test_results_of_a_batch_arrive_once_over_cut_connections(self) -> None:
        proxy = CuttingProxy(URL)
        self.addCleanup(proxy.close)
        needs = [RecommendRequest(description=f"translate {number} letters", top_k=1) for number in range(60)]
        batch = self.client.batch.create_batch(CreateBatchRequest(batch=Batch(requests=needs)))
        got = []
        with ModelscoutClient(proxy.url, api_key=KEY) as client:
            with client.batch.stream_batch_results(StreamBatchResultsRequest(batch_id=batch.id)) as stream:
                for item in stream:
                    got.append(item.result.index)
                    if item.result.index in (5, 30):
                        proxy.cut()
                self.assertEqual(stream.end.batch.state if stream.end else None, "succeeded")
        self.assertEqual(got, list(range(60)))

    def test_verifies_the_webhooks_that_the_service_sends(self) -> None:
        received: List[Tuple[bytes, Any]] = []

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.rfile.read(int(self.headers["content-length"])), self.headers))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Receiver)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        created = self.client.webhook.create_webhook(
            CreateWebhookRequest(webhook=WebhookMessage(url=f"http://127.0.0.1:{server.server_port}/"))
        )
        delivery = self.client.webhook.test_webhook(TestWebhookRequest(id=created.id))
        self.assertEqual(delivery.state, "delivered")
        body, headers = received[0]
        event = Webhook(created.secret).verify(body, headers)
        self.assertEqual((event.id, event.type, event.data["webhook_id"]), (delivery.id, "webhook.test", created.id))
        with self.assertRaises(WebhookVerificationError):
            Webhook(created.secret).verify(body + b" ", headers)
        self.assertIn(created.id, [it.id for it in self.client.webhook.iter_webhooks()])


@unittest.skipUnless(URL, "no service is running; test/packages/python/service.test.ts starts one")
class AsyncServiceTest(unittest.IsolatedAsyncioTestCase):
    async def test_calls_pages_errors_and_streams(self) -> None:
        async with AsyncModelscoutClient(URL, api_key=KEY) as client:
            request = RecommendRequest(description="transcribe meetings", top_k=1)
            answers = await asyncio.gather(*(client.recommendation.recommend(request) for _ in range(3)))
            self.assertEqual([len(it.results) for it in answers], [1, 1, 1])
            search = SearchModelsRequest(family="whisper", page_size=3)
            names = [it.name async for it in client.inventory.iter_models(search)]
            self.assertEqual(len(names), (await client.inventory.search_models(search)).total)
            with self.assertRaises(ModelscoutError) as caught:
                await client.inventory.get_model(GetModelRequest(model_name="no/model"))
            self.assertEqual(caught.exception.reason, "MODEL_NOT_FOUND")

    async def test_matches_resume_over_cut_connections(self) -> None:
        proxy = CuttingProxy(URL)
        self.addCleanup(proxy.close)
        async with AsyncModelscoutClient(proxy.url, api_key=KEY) as client:
            await client.interest.create_interest(meetings("asyncio"))
            async with client.interest.watch_matches() as stream:
                names = ["asyncio/first", "asyncio/second"]
                # The first message, a heartbeat, gives the cursor; so the stream must be read before a model arrives.
                reading = asyncio.ensure_future(stream.__anext__())
                while stream.cursor is None:
                    await asyncio.sleep(0.02)
                await asyncio.to_thread(add_model, names[0])
                match = await reading
                while (match.interest_name, match.model.name) != ("asyncio", names[0]):
                    match = await stream.__anext__()
                proxy.cut()
                await asyncio.to_thread(add_model, names[1])
                async for match in stream:
                    if (match.interest_name, match.model.name) == ("asyncio", names[1]):
                        break
        self.assertGreaterEqual(proxy.connections, 2)


if __name__ == "__main__":
    unittest.main()
