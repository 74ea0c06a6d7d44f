from google.protobuf import timestamp_pb2 as _timestamp_pb2
from modelscout.google_rpc import status_pb2 as _status_pb2
from modelscout.v1 import inventory_pb2 as _inventory_pb2
from modelscout.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BatchRecommendAnswer(_message.Message):
    __slots__ = ["error", "response"]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    error: _status_pb2.Status
    response: RecommendResponse
    def __init__(self, response: _Optional[_Union[RecommendResponse, _Mapping[str, object]]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping[str, object]]] = ...) -> None: ...

class BatchRecommendRequest(_message.Message):
    __slots__ = ["requests"]
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[RecommendRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[RecommendRequest, _Mapping[str, object]]]] = ...) -> None: ...

class BatchRecommendResponse(_message.Message):
    __slots__ = ["answers"]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[BatchRecommendAnswer]
    def __init__(self, answers: _Optional[_Iterable[_Union[BatchRecommendAnswer, _Mapping[str, object]]]] = ...) -> None: ...

class GetUsageRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetUsageResponse(_message.Message):
    __slots__ = ["remaining", "reset", "tier", "used"]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    RESET_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    remaining: int
    reset: _timestamp_pb2.Timestamp
    tier: str
    used: int
    def __init__(self, tier: _Optional[str] = ..., used: _Optional[int] = ..., remaining: _Optional[int] = ..., reset: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class QuickRecommendRequest(_message.Message):
    __slots__ = ["capabilities", "device", "exclude_gated", "hardware", "ignore", "languages", "license", "max_parameters", "max_size_gb", "min_context_length", "min_parameters", "min_tokens_per_second", "priority", "q", "task_type", "top_k"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_GATED_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    MAX_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MAX_SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    MIN_CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    MIN_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MIN_TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    Q_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    device: _inventory_pb2.Hardware
    exclude_gated: bool
    hardware: str
    ignore: _containers.RepeatedScalarFieldContainer[str]
    languages: _containers.RepeatedScalarFieldContainer[str]
    license: str
    max_parameters: float
    max_size_gb: float
    min_context_length: int
    min_parameters: float
    min_tokens_per_second: float
    priority: str
    q: str
    task_type: str
    top_k: int
    def __init__(self, q: _Optional[str] = ..., task_type: _Optional[str] = ..., max_size_gb: _Optional[float] = ..., hardware: _Optional[str] = ..., license: _Optional[str] = ..., top_k: _Optional[int] = ..., languages: _Optional[_Iterable[str]] = ..., min_context_length: _Optional[int] = ..., ignore: _Optional[_Iterable[str]] = ..., priority: _Optional[str] = ..., capabilities: _Optional[_Iterable[str]] = ..., min_parameters: _Optional[float] = ..., max_parameters: _Optional[float] = ..., device: _Optional[_Union[_inventory_pb2.Hardware, _Mapping[str, object]]] = ..., min_tokens_per_second: _Optional[float] = ..., exclude_gated: bool = ...) -> None: ...

class RecommendRequest(_message.Message):
    __slots__ = ["capabilities", "description", "device", "exclude_gated", "hardware", "ignore", "languages", "license", "max_parameters", "max_size_gb", "min_context_length", "min_parameters", "min_tokens_per_second", "priority", "task_type", "top_k"]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDE_GATED_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    IGNORE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    MAX_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MAX_SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    MIN_CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    MIN_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    MIN_TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPE_FIELD_NUMBER: _ClassVar[int]
    TOP_K_FIELD_NUMBER: _ClassVar[int]
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    description: str
    device: _inventory_pb2.Hardware
    exclude_gated: bool
    hardware: str
    ignore: _containers.RepeatedScalarFieldContainer[str]
    languages: _containers.RepeatedScalarFieldContainer[str]
    license: str
    max_parameters: float
    max_size_gb: float
    min_context_length: int
    min_parameters: float
    min_tokens_per_second: float
    priority: str
    task_type: str
    top_k: int
    def __init__(self, description: _Optional[str] = ..., task_type: _Optional[str] = ..., max_size_gb: _Optional[float] = ..., hardware: _Optional[str] = ..., license: _Optional[str] = ..., top_k: _Optional[int] = ..., languages: _Optional[_Iterable[str]] = ..., min_context_length: _Optional[int] = ..., ignore: _Optional[_Iterable[str]] = ..., priority: _Optional[str] = ..., capabilities: _Optional[_Iterable[str]] = ..., min_parameters: _Optional[float] = ..., max_parameters: _Optional[float] = ..., device: _Optional[_Union[_inventory_pb2.Hardware, _Mapping[str, object]]] = ..., min_tokens_per_second: _Optional[float] = ..., exclude_gated: bool = ...) -> None: ...

class RecommendResponse(_message.Message):
    __slots__ = ["models_after_filter", "models_searched", "query_time_ms", "results", "understood"]
    MODELS_AFTER_FILTER_FIELD_NUMBER: _ClassVar[int]
    MODELS_SEARCHED_FIELD_NUMBER: _ClassVar[int]
    QUERY_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    UNDERSTOOD_FIELD_NUMBER: _ClassVar[int]
    models_after_filter: int
    models_searched: int
    query_time_ms: int
    results: _containers.RepeatedCompositeFieldContainer[Recommendation]
    understood: Understood
    def __init__(self, results: _Optional[_Iterable[_Union[Recommendation, _Mapping[str, object]]]] = ..., query_time_ms: _Optional[int] = ..., models_searched: _Optional[int] = ..., models_after_filter: _Optional[int] = ..., understood: _Optional[_Union[Understood, _Mapping[str, object]]] = ...) -> None: ...

class Recommendation(_message.Message):
    __slots__ = ["alternatives", "model", "reasons", "score", "sizing", "tradeoffs"]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    SIZING_FIELD_NUMBER: _ClassVar[int]
    TRADEOFFS_FIELD_NUMBER: _ClassVar[int]
    alternatives: _containers.RepeatedScalarFieldContainer[str]
    model: _model_pb2.ModelSummary
    reasons: _containers.RepeatedScalarFieldContainer[str]
    score: float
    sizing: Sizing
    tradeoffs: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, model: _Optional[_Union[_model_pb2.ModelSummary, _Mapping[str, object]]] = ..., score: _Optional[float] = ..., reasons: _Optional[_Iterable[str]] = ..., tradeoffs: _Optional[_Iterable[str]] = ..., alternatives: _Optional[_Iterable[str]] = ..., sizing: _Optional[_Union[Sizing, _Mapping[str, object]]] = ...) -> None: ...

class Sizing(_message.Message):
    __slots__ = ["fit", "hardware", "memory_gb", "quantization", "size_gb", "throughput", "tokens_per_second", "unpublished"]
    FIT_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    MEMORY_GB_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    THROUGHPUT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    UNPUBLISHED_FIELD_NUMBER: _ClassVar[int]
    fit: str
    hardware: str
    memory_gb: float
    quantization: str
    size_gb: float
    throughput: _model_pb2.Throughput
    tokens_per_second: _model_pb2.TokensPerSecond
    unpublished: bool
    def __init__(self, quantization: _Optional[str] = ..., size_gb: _Optional[float] = ..., memory_gb: _Optional[float] = ..., hardware: _Optional[str] = ..., fit: _Optional[str] = ..., tokens_per_second: _Optional[_Union[_model_pb2.TokensPerSecond, _Mapping[str, object]]] = ..., unpublished: bool = ..., throughput: _Optional[_Union[_model_pb2.Throughput, _Mapping[str, object]]] = ...) -> None: ...

class Understood(_message.Message):
    __slots__ = ["tasks", "wishes"]
    TASKS_FIELD_NUMBER: _ClassVar[int]
    WISHES_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[UnderstoodTask]
    wishes: _containers.RepeatedCompositeFieldContainer[Wish]
    def __init__(self, tasks: _Optional[_Iterable[_Union[UnderstoodTask, _Mapping[str, object]]]] = ..., wishes: _Optional[_Iterable[_Union[Wish, _Mapping[str, object]]]] = ...) -> None: ...

class UnderstoodTask(_message.Message):
    __slots__ = ["confidence", "source", "task", "task_type"]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPE_FIELD_NUMBER: _ClassVar[int]
    confidence: float
    source: str
    task: str
    task_type: str
    def __init__(self, task: _Optional[str] = ..., task_type: _Optional[str] = ..., confidence: _Optional[float] = ..., source: _Optional[str] = ...) -> None: ...

class Wish(_message.Message):
    __slots__ = ["hardware_class", "kind", "source", "value", "words"]
    HARDWARE_CLASS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    hardware_class: str
    kind: str
    source: str
    value: str
    words: str
    def __init__(self, kind: _Optional[str] = ..., value: _Optional[str] = ..., words: _Optional[str] = ..., hardware_class: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...
