import { describe, expect, it } from "vitest";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { type WireCall, wireProtocols } from "../../support/clients/wire-calls.ts";
import { startApp } from "../../support/service/start-app.ts";

const { recommend, getUsage } = RecommendationService.method;
const records = [{ name: "acme/one", task_types: ["text-generation"] }];
const start = (env: Record<string, string>) => startApp({ records, isUnlimited: false, env });

const alone = await start({});
const ranges = await start({ MODELSCOUT_TRUST_PROXY: "loopback, 10.0.0.0/8,2001:db8:ffff::/48" });
const others = await start({ MODELSCOUT_TRUST_PROXY: "10.0.0.0/8" });
const twoHops = await start({ MODELSCOUT_TRUST_PROXY: "2" });
const overIpv6 = await start({ HOST: "::1", MODELSCOUT_TRUST_PROXY: "::1" });

/** Every test counts as clients of its own, so that protocols do not count into each other's. */
let block = 0;
const protocols = (url: string) => wireProtocols(url).map((protocol) => ({ ...protocol, block: block++ }));

const usedBy = async (call: WireCall, headers: Record<string, string> = {}) =>
  (await call(getUsage, {}, headers)).message?.used;
const from = (address: string) => ({ "x-forwarded-for": address });

describe.each(protocols(ranges.url))(
  "Behind proxies that are trusted by their addresses, over $name",
  ({ call, block }) => {
    const client = (last: number) => `198.51.${block}.${last}`;

    it("the client's address is the one that trusted proxies send", async () => {
      await call(recommend, { description: "poems" }, from(client(1)));
      expect(await usedBy(call, from(client(1)))).toBe(1);
      expect(await usedBy(call, from(client(2)))).toBe(0);
      // Through a second proxy that is believed, and as some proxies write it.
      expect(await usedBy(call, from(`${client(1)}, 10.1.2.3`))).toBe(1);
      expect(await usedBy(call, from(`${client(1)}:51234`))).toBe(1);
      expect(await usedBy(call, from(`::ffff:${client(1)}`))).toBe(1);
    });

    it("forwarding headers of the client itself are not trusted", async () => {
      const honest = from(client(3));
      await call(recommend, { description: "poems" }, honest);
      for (const spoofed of ["203.0.113.1", "10.9.9.9", "127.0.0.1", "::1", "nonsense", ""]) {
        // The proxy adds the address that it saw behind what the client sent.
        expect({ spoofed, used: await usedBy(call, from(`${spoofed}, ${client(3)}`)) }).toEqual({ spoofed, used: 1 });
      }
      const forwarded = { forwarded: `for=${client(9)}`, "x-real-ip": client(9), "true-client-ip": client(9) };
      expect(await usedBy(call, { ...honest, ...forwarded })).toBe(1);
    });

    it("the addresses of an IPv6 network are one client", async () => {
      const network = `2001:db8:${block}:1`;
      await call(recommend, { description: "poems" }, from(`${network}::1`));
      expect(await usedBy(call, from(`${network}:ffff:ffff:ffff:ffff`))).toBe(1);
      expect(await usedBy(call, from(`[${network}::2]:443`))).toBe(1);
      expect(await usedBy(call, from(`2001:db8:${block}:2::1`))).toBe(0);
    });
  },
);

describe.each(protocols(alone.url))("Without proxies, over $name", ({ call }) => {
  it("no header changes the client's address", async () => {
    await call(recommend, { description: "poems" });
    const used = await usedBy(call);
    expect(used).toBeGreaterThan(0);
    for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "x-client-ip"]) {
      expect({ name, used: await usedBy(call, { [name]: "203.0.113.77" }) }).toEqual({ name, used });
    }
  });

  it("nor does one from a peer that is no proxy", async () => {
    const { call: other } = wireProtocols(others.url)[0]!;
    await other(recommend, { description: "poems" });
    const used = await usedBy(other);
    expect(await usedBy(other, from("203.0.113.77"))).toBe(used);
    expect(await usedBy(other, from("203.0.113.77, 10.1.1.1"))).toBe(used);
  });
});

describe("Behind two proxies that are trusted by their number", () => {
  const { call } = wireProtocols(twoHops.url)[0]!;

  it("the client is the one before the last", async () => {
    await call(recommend, { description: "poems" }, from("198.51.100.1, 192.0.2.1"));
    expect(await usedBy(call, from("198.51.100.1, 192.0.2.99"))).toBe(1);
    expect(await usedBy(call, from("203.0.113.1, 198.51.100.1, 192.0.2.1"))).toBe(1);
    expect(await usedBy(call, from("198.51.100.2, 192.0.2.1"))).toBe(0);
  });
});

describe("Over IPv6", () => {
  it("the connection's address counts, and a trusted proxy's header", async () => {
    const { call } = wireProtocols(overIpv6.url)[0]!;
    await call(recommend, { description: "poems" }, from("198.51.100.1"));
    expect(await usedBy(call, from("198.51.100.1"))).toBe(1);
    expect(await usedBy(call)).toBe(0);
  });
});
