import type { Capability } from "../../../inventory/index.ts";
import { isNegated } from "./text/negation.ts";
import { type Rule, words } from "./text/phrases.ts";
import type { Found } from "./wish.ts";

/** Makes a rule for phrases that say what the model must be able to do, unless a word after them means something else. */
function rule(capability: Capability, phrases: readonly string[], unlessBefore = ""): Rule {
  const others = unlessBefore === "" ? new Set<string>() : words(unlessBefore);
  return {
    phrases,
    read: (text, from, to): Found | undefined =>
      isNegated(text, from, to) || others.has(text.after(to))
        ? undefined
        : { wish: { kind: "capability", value: capability, capability }, from, to },
  };
}

/**
 * What a model must be able to do beside its task. Phrases that name a task of their own are left out: who wants to
 * describe pictures has the task, and needs no wish.
 */
export const capabilityRules: readonly Rule[] = [
  rule("tools", [
    "call|calls|calling|invoke|invokes|execute|executes our|my|your|its|external|other? functions|tools|apis",
    "function|tool|tools call|calls|calling",
    "use|uses|using our|my|external? tools",
    "tool use|usage",
    "works|work as|for an? agent",
    "mcp tools|servers|client",
  ]),
  rule("structured-output", [
    "json output|outputs|mode|schema|schemas|answers|responses|replies",
    "output|outputs|outputting|return|returns|returning|produce|produces|emit|emits|answer|answers|reply|replies|respond|responds valid|strict|pure|only? in|as|with? valid|strict|pure|clean|structured? json",
    "structured|schema output|outputs|generation",
    "in|as|with valid|strict|structured json",
    "follow|follows|keep|keeps|stick|sticks to? a|the|our|my? json? schema",
  ]),
  rule(
    "reasoning",
    [
      "reasoning|thinking model|models|llm|llms|mode",
      "show|shows|showing|display|displays|see its|the|their? thinking|reasoning|thoughts",
      "think|thinks|reason|reasons before it|they? answers|answering|answer|replies|responding",
      "think|thinks|reason|reasons|reasoning step by step",
      "chain of thought",
    ],
    "training data dataset datasets benchmark benchmarks research paper papers",
  ),
  rule("vision", [
    "can|also|could|and see|sees|look|looks|view|read|reads at? images|pictures|photos|screenshots",
    "sees images|pictures|photos|screenshots",
    "image|images|picture|vision|screenshot input|inputs|understanding|capabilities|capability|support|capable",
    "accept|accepts|take|takes both|text? and? images|pictures|photos|screenshots as? input",
  ]),
  rule("audio", [
    "audio|speech|voice input|inputs",
    "can|also hear|hears|listen|listens to? audio|speech|sound|sounds|voice|recordings",
  ]),
];
