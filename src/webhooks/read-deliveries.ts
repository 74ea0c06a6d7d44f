import type { Page, PageRequest } from "../store/page.ts";
import { byCreation, readPage } from "../store/read-page.ts";
import type { Store } from "../store/store.ts";
import { type DeliveryFilter, listDeliveries } from "../store/tables/deliveries.ts";
import type { Delivery } from "./delivery.ts";
import { toDeliveries } from "./to-deliveries.ts";

/** A delivery with what operators are told of whom it goes to. */
export interface OwnedDelivery extends Delivery {
  /** The name of the webhook's owner. */
  owner: string;
  /** The webhook's. */
  url: string;
}

/** Deliveries, newest first. */
export async function readDeliveries(
  { db }: Pick<Store, "db">,
  page: PageRequest,
  filter: DeliveryFilter,
): Promise<Page<OwnedDelivery>> {
  const { items: rows, next } = await readPage(page, (request) => listDeliveries(db, request, filter), byCreation);
  const deliveries = await toDeliveries(db, rows);
  const items = deliveries.map((delivery, i) => {
    const { owner_name: owner, url } = rows[i] as (typeof rows)[number];
    return { ...delivery, owner, url };
  });
  return { items, next };
}
