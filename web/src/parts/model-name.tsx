import { emptyCalculator, formatRoute } from "../state/route.ts";

/** A model's name as a link to its page. The name is more prominent than the owner. */
export function ModelName({ name }: { readonly name: string }) {
  const slash = name.indexOf("/") + 1;
  return (
    <a class="model-name" href={formatRoute({ view: "model", name, calculator: emptyCalculator })}>
      <span class="owner">{name.slice(0, slash)}</span>
      <wbr />
      {name.slice(slash)}
    </a>
  );
}
