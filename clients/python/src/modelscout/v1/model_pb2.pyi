from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Evaluation(_message.Message):
    __slots__ = ["as_of", "aspect", "board", "board_name", "device", "evidence", "higher_is_better", "license", "metric", "of", "percentile", "place", "source", "summary", "url", "value"]
    ASPECT_FIELD_NUMBER: _ClassVar[int]
    AS_OF_FIELD_NUMBER: _ClassVar[int]
    BOARD_FIELD_NUMBER: _ClassVar[int]
    BOARD_NAME_FIELD_NUMBER: _ClassVar[int]
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    HIGHER_IS_BETTER_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    OF_FIELD_NUMBER: _ClassVar[int]
    PERCENTILE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    as_of: str
    aspect: str
    board: str
    board_name: str
    device: str
    evidence: str
    higher_is_better: bool
    license: str
    metric: str
    of: int
    percentile: float
    place: int
    source: str
    summary: str
    url: str
    value: float
    def __init__(self, board: _Optional[str] = ..., metric: _Optional[str] = ..., value: _Optional[float] = ..., higher_is_better: bool = ..., place: _Optional[int] = ..., of: _Optional[int] = ..., as_of: _Optional[str] = ..., evidence: _Optional[str] = ..., source: _Optional[str] = ..., url: _Optional[str] = ..., license: _Optional[str] = ..., board_name: _Optional[str] = ..., aspect: _Optional[str] = ..., device: _Optional[str] = ..., percentile: _Optional[float] = ..., summary: _Optional[str] = ...) -> None: ...

class HardwareEstimate(_message.Message):
    __slots__ = ["basis", "fit", "hardware", "kv_cache_gb", "kv_cache_gb_low", "memory_gb", "overhead_gb", "quantization", "throughput", "time_to_first_token_ms", "time_to_first_token_ms_high", "time_to_first_token_ms_low", "tokens_per_second", "weights_gb"]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    KV_CACHE_GB_FIELD_NUMBER: _ClassVar[int]
    KV_CACHE_GB_LOW_FIELD_NUMBER: _ClassVar[int]
    MEMORY_GB_FIELD_NUMBER: _ClassVar[int]
    OVERHEAD_GB_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    THROUGHPUT_FIELD_NUMBER: _ClassVar[int]
    TIME_TO_FIRST_TOKEN_MS_FIELD_NUMBER: _ClassVar[int]
    TIME_TO_FIRST_TOKEN_MS_HIGH_FIELD_NUMBER: _ClassVar[int]
    TIME_TO_FIRST_TOKEN_MS_LOW_FIELD_NUMBER: _ClassVar[int]
    TOKENS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    WEIGHTS_GB_FIELD_NUMBER: _ClassVar[int]
    basis: _containers.RepeatedScalarFieldContainer[str]
    fit: str
    hardware: str
    kv_cache_gb: float
    kv_cache_gb_low: float
    memory_gb: float
    overhead_gb: float
    quantization: str
    throughput: Throughput
    time_to_first_token_ms: float
    time_to_first_token_ms_high: float
    time_to_first_token_ms_low: float
    tokens_per_second: TokensPerSecond
    weights_gb: float
    def __init__(self, hardware: _Optional[str] = ..., fit: _Optional[str] = ..., quantization: _Optional[str] = ..., memory_gb: _Optional[float] = ..., weights_gb: _Optional[float] = ..., kv_cache_gb: _Optional[float] = ..., overhead_gb: _Optional[float] = ..., tokens_per_second: _Optional[_Union[TokensPerSecond, _Mapping[str, object]]] = ..., time_to_first_token_ms: _Optional[float] = ..., basis: _Optional[_Iterable[str]] = ..., kv_cache_gb_low: _Optional[float] = ..., throughput: _Optional[_Union[Throughput, _Mapping[str, object]]] = ..., time_to_first_token_ms_low: _Optional[float] = ..., time_to_first_token_ms_high: _Optional[float] = ...) -> None: ...

class LicenseTerms(_message.Message):
    __slots__ = ["commercial_use", "conditions", "url"]
    CLASS_FIELD_NUMBER: _ClassVar[int]
    COMMERCIAL_USE_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    commercial_use: bool
    conditions: str
    url: str
    def __init__(self, commercial_use: bool = ..., url: _Optional[str] = ..., conditions: _Optional[str] = ..., **kwargs: object) -> None: ...

class ModelEntry(_message.Message):
    __slots__ = ["active_parameters", "base_model", "capabilities", "context_length", "description", "downloads", "evaluations", "facts_from", "family", "gated", "hardware", "languages", "library", "license", "license_terms", "likes", "name", "parameters", "quality", "released_at", "run", "series", "size_gb", "source", "source_url", "sources", "tags", "task_types", "updated_at", "variants"]
    class FactsFromEntry(_message.Message):
        __slots__ = ["key", "value"]
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    ACTIVE_PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    BASE_MODEL_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_LENGTH_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    DOWNLOADS_FIELD_NUMBER: _ClassVar[int]
    EVALUATIONS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FROM_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    GATED_FIELD_NUMBER: _ClassVar[int]
    HARDWARE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    LIBRARY_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    LICENSE_TERMS_FIELD_NUMBER: _ClassVar[int]
    LIKES_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    QUALITY_FIELD_NUMBER: _ClassVar[int]
    RELEASED_AT_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    SERIES_FIELD_NUMBER: _ClassVar[int]
    SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPES_FIELD_NUMBER: _ClassVar[int]
    UPDATED_AT_FIELD_NUMBER: _ClassVar[int]
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    active_parameters: float
    base_model: str
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    context_length: int
    description: str
    downloads: float
    evaluations: _containers.RepeatedCompositeFieldContainer[Evaluation]
    facts_from: _containers.ScalarMap[str, str]
    family: str
    gated: bool
    hardware: _containers.RepeatedCompositeFieldContainer[HardwareEstimate]
    languages: _containers.RepeatedScalarFieldContainer[str]
    library: str
    license: str
    license_terms: LicenseTerms
    likes: int
    name: str
    parameters: float
    quality: QualitySignals
    released_at: str
    run: _containers.RepeatedCompositeFieldContainer[RunCommand]
    series: str
    size_gb: float
    source: str
    source_url: str
    sources: _containers.RepeatedCompositeFieldContainer[ModelSource]
    tags: _containers.RepeatedScalarFieldContainer[str]
    task_types: _containers.RepeatedScalarFieldContainer[str]
    updated_at: _timestamp_pb2.Timestamp
    variants: _containers.RepeatedCompositeFieldContainer[ModelVariant]
    def __init__(self, name: _Optional[str] = ..., family: _Optional[str] = ..., task_types: _Optional[_Iterable[str]] = ..., source: _Optional[str] = ..., source_url: _Optional[str] = ..., license: _Optional[str] = ..., parameters: _Optional[float] = ..., size_gb: _Optional[float] = ..., series: _Optional[str] = ..., license_terms: _Optional[_Union[LicenseTerms, _Mapping[str, object]]] = ..., active_parameters: _Optional[float] = ..., context_length: _Optional[int] = ..., languages: _Optional[_Iterable[str]] = ..., library: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., base_model: _Optional[str] = ..., gated: bool = ..., downloads: _Optional[float] = ..., likes: _Optional[int] = ..., updated_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ..., description: _Optional[str] = ..., variants: _Optional[_Iterable[_Union[ModelVariant, _Mapping[str, object]]]] = ..., sources: _Optional[_Iterable[_Union[ModelSource, _Mapping[str, object]]]] = ..., quality: _Optional[_Union[QualitySignals, _Mapping[str, object]]] = ..., hardware: _Optional[_Iterable[_Union[HardwareEstimate, _Mapping[str, object]]]] = ..., facts_from: _Optional[_Mapping[str, str]] = ..., evaluations: _Optional[_Iterable[_Union[Evaluation, _Mapping[str, object]]]] = ..., released_at: _Optional[str] = ..., capabilities: _Optional[_Iterable[str]] = ..., run: _Optional[_Iterable[_Union[RunCommand, _Mapping[str, object]]]] = ...) -> None: ...

class ModelSource(_message.Message):
    __slots__ = ["name", "seen_at", "url"]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEEN_AT_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    name: str
    seen_at: _timestamp_pb2.Timestamp
    url: str
    def __init__(self, name: _Optional[str] = ..., url: _Optional[str] = ..., seen_at: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping[str, object]]] = ...) -> None: ...

class ModelSummary(_message.Message):
    __slots__ = ["downloads", "family", "license", "name", "parameters", "released_at", "size_gb", "source", "source_url", "task_types"]
    DOWNLOADS_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    LICENSE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    RELEASED_AT_FIELD_NUMBER: _ClassVar[int]
    SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_URL_FIELD_NUMBER: _ClassVar[int]
    TASK_TYPES_FIELD_NUMBER: _ClassVar[int]
    downloads: float
    family: str
    license: str
    name: str
    parameters: float
    released_at: str
    size_gb: float
    source: str
    source_url: str
    task_types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., family: _Optional[str] = ..., task_types: _Optional[_Iterable[str]] = ..., source: _Optional[str] = ..., source_url: _Optional[str] = ..., license: _Optional[str] = ..., parameters: _Optional[float] = ..., size_gb: _Optional[float] = ..., downloads: _Optional[float] = ..., released_at: _Optional[str] = ...) -> None: ...

class ModelVariant(_message.Message):
    __slots__ = ["format", "quantization", "repository", "size_gb", "unpublished"]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    SIZE_GB_FIELD_NUMBER: _ClassVar[int]
    UNPUBLISHED_FIELD_NUMBER: _ClassVar[int]
    format: str
    quantization: str
    repository: str
    size_gb: float
    unpublished: bool
    def __init__(self, quantization: _Optional[str] = ..., format: _Optional[str] = ..., size_gb: _Optional[float] = ..., repository: _Optional[str] = ..., unpublished: bool = ...) -> None: ...

class QualitySignals(_message.Message):
    __slots__ = ["adoption", "completeness", "freshness"]
    ADOPTION_FIELD_NUMBER: _ClassVar[int]
    COMPLETENESS_FIELD_NUMBER: _ClassVar[int]
    FRESHNESS_FIELD_NUMBER: _ClassVar[int]
    adoption: float
    completeness: float
    freshness: float
    def __init__(self, adoption: _Optional[float] = ..., freshness: _Optional[float] = ..., completeness: _Optional[float] = ...) -> None: ...

class RunCommand(_message.Message):
    __slots__ = ["command", "engine", "language", "note", "quantization", "repository", "url"]
    COMMAND_FIELD_NUMBER: _ClassVar[int]
    ENGINE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    QUANTIZATION_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    command: str
    engine: str
    language: str
    note: str
    quantization: str
    repository: str
    url: str
    def __init__(self, engine: _Optional[str] = ..., command: _Optional[str] = ..., url: _Optional[str] = ..., quantization: _Optional[str] = ..., repository: _Optional[str] = ..., language: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class Throughput(_message.Message):
    __slots__ = ["high", "item", "likely", "low", "summary", "unit"]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    LIKELY_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    high: float
    item: str
    likely: float
    low: float
    summary: str
    unit: str
    def __init__(self, unit: _Optional[str] = ..., item: _Optional[str] = ..., low: _Optional[float] = ..., likely: _Optional[float] = ..., high: _Optional[float] = ..., summary: _Optional[str] = ...) -> None: ...

class TokensPerSecond(_message.Message):
    __slots__ = ["high", "likely", "low"]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    LIKELY_FIELD_NUMBER: _ClassVar[int]
    LOW_FIELD_NUMBER: _ClassVar[int]
    high: float
    likely: float
    low: float
    def __init__(self, low: _Optional[float] = ..., likely: _Optional[float] = ..., high: _Optional[float] = ...) -> None: ...
