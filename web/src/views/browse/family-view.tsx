import { calls } from "../../api/calls.ts";
import { ViewHeading } from "../../parts/view-heading.tsx";
import { formatRoute } from "../../state/route.ts";
import { ModelList } from "./model-list.tsx";

/** The models of a family. */
export function FamilyView({ family }: { readonly family: string }) {
  return (
    <>
      <p class="crumbs">
        <a href={formatRoute({ view: "families" })}>Families</a>
      </p>
      <ViewHeading>{family}</ViewHeading>
      <ModelList
        key={family}
        callOf={(token) => calls.familyModels(family, token)}
        hrefOf={(name) => formatRoute({ view: "family", family: name })}
      />
    </>
  );
}
