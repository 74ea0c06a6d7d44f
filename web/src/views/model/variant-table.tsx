import type { ModelVariant } from "../../../../packages/client/src/index.ts";
import { ScrollBox } from "../../parts/view-frame.tsx";
import { gigabytes } from "../../words/formats.ts";
import { pageAddress } from "../../words/names.ts";

interface VariantTableProps {
  readonly variants: readonly ModelVariant[];
  /** The model's page at its source. */
  readonly sourceUrl: string | undefined;
}

/** The variants of a model: its downloads, and those that a user would have to make. */
export function VariantTable({ variants, sourceUrl }: VariantTableProps) {
  if (variants.length === 0) {
    return null;
  }
  return (
    <section class="panel" aria-labelledby="variants-title">
      <h2 id="variants-title">Variants</h2>
      <ScrollBox label="Variants of the model">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Quantization</th>
              <th scope="col">Format</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {variants.map(({ quantization, format, sizeGb, repository, unpublished }) => (
              <tr key={`${quantization} ${format} ${repository}`}>
                <th scope="row" class="mono">
                  {quantization}
                </th>
                <td>{format}</td>
                <td class="number">{sizeGb === undefined ? "" : gigabytes(sizeGb)}</td>
                <td class="breakable">
                  {unpublished ? (
                    "no known repository: convert it yourself"
                  ) : (
                    <Repository name={repository} sourceUrl={sourceUrl} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}

/** A repository, as a link if it is on the same hub as the model. */
function Repository({
  name,
  sourceUrl,
}: {
  readonly name: string | undefined;
  readonly sourceUrl: string | undefined;
}) {
  const hub = pageAddress(sourceUrl);
  if (name === undefined || hub === undefined || !/^[\w.-]+\/[\w.-]+$/.test(name) || !isHub(hub)) {
    return name;
  }
  return (
    <a href={new URL(`/${name}`, hub).href} target="_blank" rel="noreferrer">
      {name}
      <span class="visually-hidden">, opens a new tab</span>
    </a>
  );
}

/** Whether an address is of the Hugging Face Hub, where every repository has a page at its name. */
function isHub(address: string): boolean {
  return new URL(address).hostname === "huggingface.co";
}
