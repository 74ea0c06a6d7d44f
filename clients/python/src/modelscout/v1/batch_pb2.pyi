from google.protobuf import timestamp_pb2 as _timestamp_pb2
from modelscout.google_rpc import status_pb2 as _status_pb2
from modelscout.v1 import recommendation_pb2 as _recommendation_pb2
from modelscout.v1 import stream_pb2 as _stream_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Batch(_message.Message):
    __slots__ = ["completed", "created_at", "ended_at", "error", "failed", "id", "name", "requests", "results_until", "started_at", "state", "total"]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    ENDED_AT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_UNTIL_FIELD_NUMBER: _ClassVar[int]
    STARTED_AT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    completed: int
    created_at: _timestamp_pb2.Timestamp
    ended_at: _timestamp_pb2.Timestamp
    error: str
    failed: int
    id: str
    name: str
    requests: _containers.RepeatedCompositeFieldContainer[_recommendation_pb2.RecommendRequest]
    results_until: _timestamp_pb2.Timestamp
    started_at: _timestamp_pb2.Timestamp
    state: str
    total: int
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., requests: _Optional[_Iterable[_Union[_recommendation_pb2.RecommendRequest, _Mapping[str, object]]]] = ..., state: _Optional[str] = ..., total: _Optional[int] = ..., completed: _Optional[int] = ..., failed: _Optional[int] = ..., error: _Optional[str] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., started_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., ended_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., results_until: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class BatchResult(_message.Message):
    __slots__ = ["error", "index", "response"]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    error: _status_pb2.Status
    index: int
    response: _recommendation_pb2.RecommendResponse
    def __init__(self, index: _Optional[int] = ..., response: _Optional[_Union[_recommendation_pb2.RecommendResponse, _Mapping[str, object]]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping[str, object]]] = ...) -> None: ...

class BatchStreamEnd(_message.Message):
    __slots__ = ["batch", "cursor"]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    batch: Batch
    cursor: str
    def __init__(self, cursor: _Optional[str] = ..., batch: _Optional[_Union[Batch, _Mapping[str, object]]] = ...) -> None: ...

class BatchStreamResult(_message.Message):
    __slots__ = ["cursor", "result"]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    result: BatchResult
    def __init__(self, cursor: _Optional[str] = ..., result: _Optional[_Union[BatchResult, _Mapping[str, object]]] = ...) -> None: ...

class CancelBatchRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class CreateBatchRequest(_message.Message):
    __slots__ = ["batch", "request_id"]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    batch: Batch
    request_id: str
    def __init__(self, batch: _Optional[_Union[Batch, _Mapping[str, object]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class GetBatchRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListBatchResultsRequest(_message.Message):
    __slots__ = ["batch_id", "page_size", "page_token"]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    batch_id: str
    page_size: int
    page_token: str
    def __init__(self, batch_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBatchResultsResponse(_message.Message):
    __slots__ = ["next_page_token", "results"]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    next_page_token: str
    results: _containers.RepeatedCompositeFieldContainer[BatchResult]
    def __init__(self, results: _Optional[_Iterable[_Union[BatchResult, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListBatchesRequest(_message.Message):
    __slots__ = ["page_size", "page_token", "state"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    state: str
    def __init__(self, state: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBatchesResponse(_message.Message):
    __slots__ = ["batches", "next_page_token"]
    BATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    batches: _containers.RepeatedCompositeFieldContainer[Batch]
    next_page_token: str
    def __init__(self, batches: _Optional[_Iterable[_Union[Batch, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class StreamBatchResultsRequest(_message.Message):
    __slots__ = ["after", "batch_id"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    after: str
    batch_id: str
    def __init__(self, batch_id: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class StreamBatchResultsResponse(_message.Message):
    __slots__ = ["closing", "end", "heartbeat", "result"]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    closing: _stream_pb2.StreamClosing
    end: BatchStreamEnd
    heartbeat: _stream_pb2.StreamHeartbeat
    result: BatchStreamResult
    def __init__(self, result: _Optional[_Union[BatchStreamResult, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.StreamHeartbeat, _Mapping[str, object]]] = ..., closing: _Optional[_Union[_stream_pb2.StreamClosing, _Mapping[str, object]]] = ..., end: _Optional[_Union[BatchStreamEnd, _Mapping[str, object]]] = ...) -> None: ...
