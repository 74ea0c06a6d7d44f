from google.protobuf import empty_pb2 as _empty_pb2
from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from modelscout.v1 import inventory_pb2 as _inventory_pb2
from modelscout.v1 import model_pb2 as _model_pb2
from modelscout.v1 import recommendation_pb2 as _recommendation_pb2
from modelscout.v1 import stream_pb2 as _stream_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateInterestRequest(_message.Message):
    __slots__ = ["interest", "request_id"]
    INTEREST_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    interest: Interest
    request_id: str
    def __init__(self, interest: _Optional[_Union[Interest, _Mapping[str, object]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteInterestRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetInterestRequest(_message.Message):
    __slots__ = ["id"]
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class Interest(_message.Message):
    __slots__ = ["capabilities", "created_at", "description", "device", "exclude_gated", "hardware", "id", "ignore", "languages", "license", "max_parameters", "max_size_gb", "min_context_length", "min_parameters", "min_score", "min_tokens_per_second", "name", "priority", "task_type", "updated_at"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CREATED_AT_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_GATED_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    MAX_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MAX_SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    MIN_CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    MIN_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MIN_SCORE_FIELD_NUMBER: _ClassVar[int]
    MIN_TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPE_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    created_at: _timestamp_pb2.Timestamp
    description: str
    device: _inventory_pb2.Hardware
    exclude_gated: bool
    hardware: str
    id: str
    ignore: _containers.RepeatedScalarFieldContainer[str]
    languages: _containers.RepeatedScalarFieldContainer[str]
    license: str
    max_parameters: float
    max_size_gb: float
    min_context_length: int
    min_parameters: float
    min_score: float
    min_tokens_per_second: float
    name: str
    priority: str
    task_type: str
    updated_at: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., task_type: _Optional[str] = ..., max_size_gb: _Optional[float] = ..., hardware: _Optional[str] = ..., license: _Optional[str] = ..., languages: _Optional[_Iterable[str]] = ..., min_context_length: _Optional[int] = ..., ignore: _Optional[_Iterable[str]] = ..., min_score: _Optional[float] = ..., created_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., updated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., priority: _Optional[str] = ..., capabilities: _Optional[_Iterable[str]] = ..., min_parameters: _Optional[float] = ..., max_parameters: _Optional[float] = ..., device: _Optional[_Union[_inventory_pb2.Hardware, _Mapping[str, object]]] = ..., min_tokens_per_second: _Optional[float] = ..., exclude_gated: bool = ...) -> None: ...

class ListInterestsRequest(_message.Message):
    __slots__ = ["page_size", "page_token"]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListInterestsResponse(_message.Message):
    __slots__ = ["interests", "next_page_token"]
    INTERESTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    interests: _containers.RepeatedCompositeFieldContainer[Interest]
    next_page_token: str
    def __init__(self, interests: _Optional[_Iterable[_Union[Interest, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ["interest_id", "model_name", "page_size", "page_token", "since"]
    INTEREST_ID_FIELD_NUMBER: _ClassVar[int]
    MODEL_NAME_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    interest_id: str
    model_name: str
    page_size: int
    page_token: str
    since: _timestamp_pb2.Timestamp
    def __init__(self, interest_id: _Optional[str] = ..., model_name: _Optional[str] = ..., since: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ["matches", "next_page_token"]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[Match, _Mapping[str, object]]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Match(_message.Message):
    __slots__ = ["cause", "cursor", "id", "interest_id", "interest_name", "matched_at", "model", "reasons", "score", "tradeoffs"]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    INTEREST_ID_FIELD_NUMBER: _ClassVar[int]
    INTEREST_NAME_FIELD_NUMBER: _ClassVar[int]
    MATCHED_AT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    TRADEOFFS_FIELD_NUMBER: _ClassVar[int]
    cause: str
    cursor: str
    id: str
    interest_id: str
    interest_name: str
    matched_at: _timestamp_pb2.Timestamp
    model: _model_pb2.ModelSummary
    reasons: _containers.RepeatedScalarFieldContainer[str]
    score: float
    tradeoffs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., cursor: _Optional[str] = ..., interest_id: _Optional[str] = ..., interest_name: _Optional[str] = ..., model: _Optional[_Union[_model_pb2.ModelSummary, _Mapping[str, object]]] = ..., score: _Optional[float] = ..., reasons: _Optional[_Iterable[str]] = ..., tradeoffs: _Optional[_Iterable[str]] = ..., cause: _Optional[str] = ..., matched_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class PreviewInterestRequest(_message.Message):
    __slots__ = ["id", "interest", "top_k"]
    ID_FIELD_NUMBER: _ClassVar[int]
    INTEREST_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    id: str
    interest: Interest
    top_k: int
    def __init__(self, id: _Optional[str] = ..., interest: _Optional[_Union[Interest, _Mapping[str, object]]] = ..., top_k: _Optional[int] = ...) -> None: ...

class PreviewInterestResponse(_message.Message):
    __slots__ = ["results", "understood"]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    UNDERSTOOD_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_recommendation_pb2.Recommendation]
    understood: _recommendation_pb2.Understood
    def __init__(self, results: _Optional[_Iterable[_Union[_recommendation_pb2.Recommendation, _Mapping[str, object]]]] = ..., understood: _Optional[_Union[_recommendation_pb2.Understood, _Mapping[str, object]]] = ...) -> None: ...

class UpdateInterestRequest(_message.Message):
    __slots__ = ["interest", "update_mask"]
    INTEREST_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    interest: Interest
    update_mask: _field_mask_pb2.FieldMask
    def __init__(self, interest: _Optional[_Union[Interest, _Mapping[str, object]]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping[str, object]]] = ...) -> None: ...

class WatchMatchesRequest(_message.Message):
    __slots__ = ["after", "interest_ids"]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    INTEREST_IDS_FIELD_NUMBER: _ClassVar[int]
    after: str
    interest_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, after: _Optional[str] = ..., interest_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class WatchMatchesResponse(_message.Message):
    __slots__ = ["closing", "heartbeat", "match"]
    CLOSING_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    closing: _stream_pb2.StreamClosing
    heartbeat: _stream_pb2.StreamHeartbeat
    match: Match
    def __init__(self, match: _Optional[_Union[Match, _Mapping[str, object]]] = ..., heartbeat: _Optional[_Union[_stream_pb2.StreamHeartbeat, _Mapping[str, object]]] = ..., closing: _Optional[_Union[_stream_pb2.StreamClosing, _Mapping[str, object]]] = ...) -> None: ...
