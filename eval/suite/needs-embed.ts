import type { EvalNeed } from "./need.ts";

const embed = ["sentence-similarity", "feature-extraction"];

/** Needs about search and similarity of text. */
export const embedNeeds: readonly EvalNeed[] = [
  {
    need: "semantic search over 50,000 English help articles, small model",
    tasks: embed,
    also: ["text-ranking"],
    maxBillions: 1,
    models: [
      "*MiniLM*",
      "BAAI/bge-small-en*",
      "thenlper/gte-small",
      "ibm-granite/granite-embedding-small*",
      "google/embeddinggemma*",
      "Alibaba-NLP/gte-modernbert-base",
      "Snowflake/*",
    ],
  },
  {
    need: "multilingual embeddings for retrieval, about a hundred languages",
    tasks: embed,
    models: [
      "BAAI/bge-m3",
      "intfloat/multilingual-e5*",
      "Qwen/Qwen3-Embedding*",
      "Snowflake/snowflake-arctic-embed-l-v2.0",
      "Alibaba-NLP/gte-multilingual-base",
    ],
  },
  {
    need: "reorder the first 50 hits of our search engine by relevance",
    tasks: ["text-ranking"],
    maxBillions: 9,
    models: ["*rerank*", "cross-encoder/ms-marco*"],
  },
  {
    need: "find the function that does what I describe, in a big code base",
    tasks: [...embed, "text-ranking"],
    also: ["code", "fill-mask"],
    models: ["nomic-ai/CodeRankEmbed", "nomic-ai/nomic-embed-code", "jinaai/jina-embeddings-v2-base-code"],
  },
  {
    need: "RAG over contracts written in German. Embedding model with a permissive licence.",
    tasks: embed,
    also: ["text-ranking"],
    wishes: { languages: ["de"], license: "permissive" },
    models: [
      "jinaai/jina-embeddings-v2-base-de",
      "BAAI/bge-m3",
      "intfloat/multilingual-e5*",
      "Qwen/Qwen3-Embedding*",
      "Snowflake/*",
    ],
  },
  {
    need: "has this question been asked before? compare new forum questions with old ones",
    tasks: embed,
    also: ["text-ranking"],
    maxBillions: 2,
  },
  {
    need: "Japanese text embeddings",
    tasks: embed,
    wishes: { languages: ["ja"] },
    models: ["cl-nagoya/*", "Qwen/Qwen3-Embedding*", "BAAI/bge-m3", "intfloat/multilingual*"],
  },
  {
    need: "static word vectors, as fast as possible on CPU, quality secondary",
    tasks: embed,
    depth: 1,
    maxBillions: 0.5,
    models: ["minishlab/potion*"],
  },
  { need: "match CVs with job adverts", tasks: embed, also: ["text-ranking"], maxBillions: 9 },
  {
    need: "recommend related scientific papers from title and abstract",
    tasks: embed,
    depth: 1,
    models: ["allenai/specter2*"],
  },
  {
    need: "learned sparse retrieval for OpenSearch",
    tasks: embed,
    depth: 1,
    models: ["opensearch-project/*", "naver/splade*"],
  },
  {
    need: "embed long documents in one piece",
    fields: { taskType: "embed", minContextLength: 30000 },
    tasks: [...embed, "text-ranking"],
    models: ["Qwen/Qwen3-Embedding*", "ibm-granite/granite-embedding-311m*", "microsoft/harrier*"],
  },
  {
    need: "map different names of the same disease onto each other",
    tasks: embed,
    models: ["cambridgeltl/SapBERT*", "FremyCompany/BioLORD*", "NeuML/*"],
  },
  {
    need: "put pictures, screenshots and text in one vector space",
    tasks: [...embed, "zero-shot-image-classification", "image-feature-extraction", "visual-document-retrieval"],
    models: [
      "Qwen/Qwen3-VL-Embedding*",
      "jinaai/jina-embeddings-v4",
      "openai/clip*",
      "google/siglip*",
      "nomic-ai/nomic-embed-vision*",
      "*clip*",
    ],
  },
  { need: "EEG encoder", tasks: ["feature-extraction"], depth: 1, models: ["braindecode/*"] },
  {
    need: "vector representation of molecules from SMILES strings to predict solubility",
    tasks: ["feature-extraction", "fill-mask"],
    depth: 2,
    models: ["ibm-research/MoLFormer*", "DeepChem/ChemBERTa*"],
  },
  {
    need: "find sentences that are translations of each other in two big text collections",
    tasks: embed,
    models: ["sentence-transformers/LaBSE"],
  },
  {
    need: "multilingual reranker for a product we sell",
    tasks: ["text-ranking"],
    wishes: { license: "commercial", languages: ["de", "fr"] },
    models: [
      "BAAI/bge-reranker-v2-m3",
      "Qwen/Qwen3-Reranker*",
      "Alibaba-NLP/gte-multilingual-reranker*",
      "mixedbread-ai/mxbai-rerank*",
    ],
  },
  {
    need: "private search in my notes on the phone, many languages, must be below 500 MB",
    tasks: embed,
    also: ["text-ranking"],
    wishes: { maxGb: 0.5 },
    models: [
      "google/embeddinggemma*",
      "intfloat/multilingual-e5*",
      "BAAI/bge-m3",
      "*multilingual-MiniLM*",
      "Qwen/Qwen3-Embedding-0.6B",
    ],
  },
  {
    need: "Spanish legal passages retrieval",
    tasks: embed,
    depth: 1,
    wishes: { languages: ["es"] },
    models: ["littlejohn-ai/*"],
  },
  {
    need: "search in vulnerability reports and security alerts by meaning",
    tasks: embed,
    depth: 1,
    models: ["cisco-ai/SecureBERT*"],
  },
  {
    need: "the very best text embeddings, we have big GPUs",
    tasks: embed,
    models: ["Qwen/Qwen3-Embedding-8B", "Alibaba-NLP/gte-Qwen2*", "intfloat/e5-mistral*"],
  },
  {
    need: "order PubMed articles by how well they answer a clinician's question",
    tasks: ["text-ranking", ...embed],
    depth: 1,
    models: ["ncbi/MedCPT*"],
  },
];
