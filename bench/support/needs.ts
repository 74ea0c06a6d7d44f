import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RecommendRequestSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";

/** A need as a client sends it. */
export type BenchNeed = MessageInitShape<typeof RecommendRequestSchema> & { description: string };

/** Forty needs as people write them: terse and rambling, of every task type, two in five with explicit fields. */
export const needs: readonly BenchNeed[] = [
  { description: "transcribe meetings on a laptop CPU" },
  { description: "generate product photos for our web shop, commercial use", license: "commercial" },
  { description: "a chatbot that answers customers in German and French, self-hosted", languages: ["de", "fr"] },
  { description: "code completion in my editor, must run on an 8 GB GPU", hardware: "gpu-8gb" },
  { description: "semantic search over 2 million support tickets", taskType: "embed", topK: 10 },
  { description: "sentiment of tweets, as small as possible", maxSizeGb: 0.5 },
  { description: "detect people and vehicles in CCTV footage, in real time" },
  { description: "translate technical manuals from Japanese to English" },
  { description: "summarise court rulings of a hundred pages", minContextLength: 65_536 },
  { description: "read invoices: photos in, total and VAT number out" },
  { description: "text to speech for an audiobook, natural English voices" },
  { description: "remove the background of portraits in the browser" },
  { description: "forecast electricity demand per hour for the next week" },
  { description: "which of our reviews are spam?", taskType: "classify" },
  { description: "answer questions about a PDF with charts and tables", taskType: "multimodal" },
  { description: "find names, places and companies in newspaper articles" },
  { description: "moderate comments: hate, threats, insults", license: "apache-2.0" },
  { description: "describe pictures for blind users on a phone" },
  { description: "a reasoning model for maths olympiad problems, I have a 24 GB card", hardware: "gpu-24gb" },
  { description: "turn a sketch into a rendered interior, not for sale, hobby only" },
  { description: "separate vocals from the instruments of a song" },
  { description: "rerank the first hundred hits of our search engine", license: "permissive", topK: 10 },
  { description: "write unit tests for a Java monolith, nothing may leave our network" },
  { description: "count cells under the microscope and outline each of them" },
  { description: "small language model for a Raspberry Pi, home automation commands, under 2 GB", hardware: "cpu" },
  { description: "speech to text for phone calls in Brazilian Portuguese", languages: ["pt"] },
  { description: "make short video clips from a prompt" },
  { description: "classify chest x-rays by finding, research use" },
  { description: "embed source code to find duplicates" },
  { description: "depth from a single photograph for a drone" },
  { description: "who speaks when in a podcast" },
  { description: "SQL from questions of our sales people, they write Spanish", maxSizeGb: 20 },
  { description: "recognise the bird by its song" },
  { description: "a model", topK: 50 },
  {
    description: "cheap replacement for a large commercial assistant, 128k context, MacBook",
    hardware: "apple-silicon",
  },
  { description: "zero-shot labels for legal clauses, we have no training data", license: "open" },
  { description: "segment roads and roofs in satellite images" },
  { description: "question answering over a table of quarterly figures" },
  { description: "protein sequences: which are alike?" },
  {
    description:
      "We run a small clinic in Vienna and our doctors dictate letters after each visit. The recordings are in German with " +
      "a lot of Latin terms, about five minutes each, and because they hold patient data they must stay on our own server, " +
      "which has no graphics card. What we want is the text with punctuation, ideally within ten minutes, and then a draft " +
      "of the letter to the referring doctor in our usual wording. It must be free to use in a business. No cloud, please.",
  },
];
