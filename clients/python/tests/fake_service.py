"""A service in this process that answers as a test says, for faults that the real one cannot be asked for."""

from __future__ import annotations

import threading
from concurrent import futures
from typing import Any, Callable, Iterator, List, Optional

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration

from modelscout.google_rpc import error_details_pb2, status_pb2
from modelscout.v1 import (
    batch_pb2_grpc,
    interest_pb2_grpc,
    inventory_pb2_grpc,
    recommendation_pb2_grpc,
    webhook_pb2_grpc,
)

Answer = Callable[[Any, grpc.ServicerContext], Any]


class Refusal(Exception):
    """Makes a call fail with details of google.rpc, as the service does."""

    def __init__(self, code: grpc.StatusCode, reason: Optional[str], retry_delay: Optional[float] = None) -> None:
        super().__init__(code.name)
        self.code = code
        self.reason = reason
        self.retry_delay = retry_delay

    def send(self, context: grpc.ServicerContext) -> None:
        details: List[Any] = []
        if self.reason is not None:
            details.append(error_details_pb2.ErrorInfo(reason=self.reason, domain="modelscout"))
        if self.retry_delay is not None:
            delay = Duration()
            delay.FromNanoseconds(int(self.retry_delay * 1e9))
            details.append(error_details_pb2.RetryInfo(retry_delay=delay))
        status = status_pb2.Status(code=self.code.value[0], message="refused", details=[packed(it) for it in details])
        context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
        context.abort(self.code, "refused")


def packed(message: Any) -> AnyMessage:
    """A message as a detail of an error."""
    wrapped = AnyMessage()
    wrapped.Pack(message)
    return wrapped


class FakeService:
    """Serves on a free port of loopback. ``answers`` has a function for each method that is called."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        #: The requests of the calls so far.
        self.requests: List[Any] = []
        #: Their metadata.
        self.metadata: List[dict[str, str]] = []
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
        servicer = _servicer(self)
        batch_pb2_grpc.add_BatchServiceServicer_to_server(servicer, self._server)
        interest_pb2_grpc.add_InterestServiceServicer_to_server(servicer, self._server)
        inventory_pb2_grpc.add_InventoryServiceServicer_to_server(servicer, self._server)
        recommendation_pb2_grpc.add_RecommendationServiceServicer_to_server(servicer, self._server)
        webhook_pb2_grpc.add_WebhookServiceServicer_to_server(servicer, self._server)
        self.url = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def stop(self) -> None:
        self._server.stop(None).wait()


def _servicer(service: FakeService) -> Any:
    lock = threading.Lock()

    def answer(method: str, request: Any, context: grpc.ServicerContext) -> Any:
        with lock:
            service.requests.append(request)
            service.metadata.append({key: value for key, value in context.invocation_metadata()})
        try:
            return service.answers[method](request, context)
        except Refusal as refusal:
            return refusal.send(context)

    def stream(method: str, request: Any, context: grpc.ServicerContext) -> Iterator[Any]:
        messages = answer(method, request, context)
        try:
            yield from messages
        except Refusal as refusal:
            refusal.send(context)

    class Servicer:
        def __getattr__(self, method: str) -> Answer:
            respond = stream if method in ("WatchMatches", "StreamBatchResults") else answer
            return lambda request, context: respond(method, request, context)

    return Servicer()
