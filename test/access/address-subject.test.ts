import { describe, expect, it } from "vitest";
import { addressSubject, widerSubjects } from "../../src/access/address.ts";

const subject = (address: string, key = "key") => addressSubject(address, key);

describe("addresses are one subject", () => {
  it.each([
    ["the same address", ["203.0.113.7", "203.0.113.7"]],
    ["IPv4 in IPv6 form", ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:cb00:7107", "0:0:0:0:0:ffff:203.0.113.7"]],
    ["IPv4 behind NAT64", ["203.0.113.7", "64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"]],
    ["a /64 of IPv6", ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:0DB8:0001:0002::"]],
    ["an interface's zone", ["fe80::1%eth0", "fe80::1", "fe80::2%wlan0"]],
    ["what is no address", ["", "unix:", "not an address", "1.2.3.4.5", "[::1]"]],
  ])("for %s", (_, addresses) => {
    expect(new Set(addresses.map((address) => subject(address))).size).toBe(1);
  });
});

describe("addresses are several subjects", () => {
  it.each([
    ["neighbours in IPv4", ["203.0.113.7", "203.0.113.8"]],
    ["neighbouring /64s", ["2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8:2:2::1"]],
    ["loopback in both", ["127.0.0.1", "::1"]],
    ["different NAT64 clients", ["64:ff9b::203.0.113.7", "64:ff9b::203.0.113.8"]],
    ["an address and none", ["0.0.0.0", "nonsense"]],
  ])("for %s", (_, addresses) => {
    expect(new Set(addresses.map((address) => subject(address))).size).toBe(addresses.length);
  });

  it("for different keys, so that a store's subjects cannot be tried without its key", () => {
    expect(subject("203.0.113.7", "other")).not.toBe(subject("203.0.113.7"));
  });
});

describe("around an address", () => {
  const wider = (address: string) => widerSubjects(address, "key").map(({ subject }) => subject);

  it("a /56 and a /48 of IPv6 have their own shares", () => {
    expect(widerSubjects("2001:db8:1:2::1", "key")).toEqual([
      { bits: 56, times: 4, subject: expect.stringMatching(/^address:[\w-]{22}$/) },
      { bits: 48, times: 16, subject: expect.stringMatching(/^address:[\w-]{22}$/) },
    ]);
    expect(new Set([subject("2001:db8:1:2::1"), ...wider("2001:db8:1:2::1")]).size).toBe(3);
    expect(wider("2001:db8:1:ff::")).toEqual(wider("2001:db8:1:2::1"));
    expect(wider("2001:db8:1:100::")[0]).not.toBe(wider("2001:db8:1:2::1")[0]);
    expect(wider("2001:db8:1:100::")[1]).toBe(wider("2001:db8:1:2::1")[1]);
    expect(wider("2001:db8:2::")[1]).not.toBe(wider("2001:db8:1:2::1")[1]);
  });

  it.each(["203.0.113.7", "::ffff:203.0.113.7", "64:ff9b::203.0.113.7", "nonsense"])(
    "%s there is nothing",
    (address) => {
      expect(wider(address)).toEqual([]);
    },
  );
});

it("a subject reveals nothing of the address", () => {
  expect(subject("203.0.113.7")).toMatch(/^address:[\w-]{22}$/);
  expect(subject("203.0.113.7")).not.toContain("203");
});
