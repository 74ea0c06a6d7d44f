import { describe, expect, it } from "vitest";
import { AddressRefused, createAddressGuard, findAddresses } from "../../src/webhooks/delivery/addresses.ts";

/** Whether a URL is let through, given the addresses of its name, or why not. */
async function lead(url: string, { allow = [], to = [] }: { allow?: string[]; to?: string[] } = {}): Promise<string> {
  try {
    await findAddresses(new URL(url), { guard: createAddressGuard(allow), resolve: async () => to });
    return "let through";
  } catch (error) {
    if (error instanceof AddressRefused) {
      return error.message;
    }
    throw error;
  }
}

describe("the guard of addresses", () => {
  it("refuses http to a name that does not exist yet, unless something may go over http", async () => {
    const resolve = async () => Promise.reject(new Error("queryA ENOTFOUND later.example"));
    const found = (address: string, allow: string[]) =>
      findAddresses(new URL(address), { guard: createAddressGuard(allow), resolve });
    await expect(found("http://later.example/", [])).rejects.toThrow(
      new AddressRefused("events are sent over https only"),
    );
    await expect(found("https://later.example/", [])).rejects.toThrow("ENOTFOUND");
    await expect(found("http://later.example/", ["10.0.0.0/8"])).rejects.toThrow("ENOTFOUND");
  });

  it.each([
    "https://93.184.215.14/hooks",
    "https://8.8.8.8:8443/",
    "https://[2606:4700:4700::1111]/",
    "https://172.15.255.255/",
    "https://172.32.0.1/",
    "https://100.63.255.255/",
    "https://100.128.0.1/",
    "https://169.253.0.1/",
    "https://11.0.0.1/",
    "https://[::ffff:8.8.8.8]/",
  ])("lets https through to %s", async (url) => {
    expect(await lead(url)).toBe("let through");
  });

  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback, another", "127.255.255.254"],
    ["loopback, shortened", "127.1"],
    ["loopback, decimal", "2130706433"],
    ["loopback, octal", "0177.0.0.1"],
    ["loopback, octal throughout", "017700000001"],
    ["loopback, hexadecimal", "0x7f000001"],
    ["loopback, hexadecimal in parts", "0x7f.0x0.0x0.0x1"],
    ["loopback, mixed", "0x7f.1"],
    ["loopback, with a trailing dot", "127.0.0.1."],
    ["loopback, percent-encoded", "%31%32%37.0.0.1"],
    ["loopback, in full-width figures", "１２７．０．０．１"],
    ["loopback, in circled figures", "①②⑦.⓪.⓪.①"],
    ["loopback, with ideographic dots", "127。0。0。1"],
    ["loopback, IPv6", "[::1]"],
    ["loopback, IPv6 at length", "[0:0:0:0:0:0:0:1]"],
    ["loopback, IPv4-mapped", "[::ffff:127.0.0.1]"],
    ["loopback, IPv4-mapped in hexadecimal", "[::ffff:7f00:1]"],
    ["loopback, IPv4-mapped at length", "[0:0:0:0:0:ffff:7f00:0001]"],
    ["loopback, IPv4-compatible", "[::127.0.0.1]"],
    ["loopback, NAT64", "[64:ff9b::7f00:1]"],
    ["loopback, NAT64 for local use", "[64:ff9b:1::7f00:1]"],
    ["loopback, translated", "[::ffff:0:127.0.0.1]"],
    ["loopback, 6to4", "[2002:7f00:1::]"],
    ["loopback, Teredo", "[2001:0:7f00:1::]"],
    ["unspecified", "0.0.0.0"],
    ["unspecified, of this network", "0.1.2.3"],
    ["unspecified, shortened", "0"],
    ["unspecified, IPv6", "[::]"],
    ["private 10", "10.1.2.3"],
    ["private 172", "172.16.0.1"],
    ["private 172, the last", "172.31.255.255"],
    ["private 192", "192.168.1.1"],
    ["private, decimal", "3232235777"],
    ["private, IPv4-mapped", "[::ffff:10.0.0.1]"],
    ["unique local", "[fd00::1]"],
    ["unique local, the other half", "[fc00::1]"],
    ["site-local", "[fec0::1]"],
    ["link-local", "169.254.1.1"],
    ["link-local, IPv6", "[fe80::1]"],
    ["link-local, IPv6, the last", "[febf::1]"],
    ["metadata", "169.254.169.254"],
    ["metadata, decimal", "2852039166"],
    ["metadata, IPv4-mapped", "[::ffff:a9fe:a9fe]"],
    ["metadata, NAT64", "[64:ff9b::a9fe:a9fe]"],
    ["metadata, IPv6", "[fd00:ec2::254]"],
    ["metadata of a carrier's range", "100.100.100.200"],
    ["metadata of a public address", "168.63.129.16"],
    ["metadata of a reserved address", "192.0.0.192"],
    ["a carrier's network", "100.64.0.1"],
    ["multicast", "224.0.0.1"],
    ["multicast, IPv6", "[ff02::1]"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["documentation, IPv6", "[2001:db8::1]"],
    ["benchmarks", "198.18.0.1"],
    ["discarded", "[100::1]"],
  ])("refuses %s: %s, over https and http", async (_kind, host) => {
    for (const scheme of ["https", "http"]) {
      expect(await lead(`${scheme}://${host}/hooks`)).toMatch(/ is (?:an?|the) [\w'-]+(?: [\w'-]+)*$/);
    }
  });

  it("refuses http, to public addresses too", async () => {
    expect(await lead("http://93.184.215.14/")).toBe("93.184.215.14 is public, and public addresses need https");
  });

  it("lets everything through to the ranges that are allowed, in every spelling, and to nothing else", async () => {
    const allow = ["127.0.0.0/8", "10.1.2.3", "fd00:1::/32"];
    for (const url of [
      "http://127.0.0.1:3000/",
      "https://127.9.9.9/",
      "http://2130706433/",
      "http://[::ffff:127.0.0.1]/",
      "http://10.1.2.3/",
      "https://[fd00:1::5]/",
    ]) {
      expect([url, await lead(url, { allow })]).toEqual([url, "let through"]);
    }
    for (const url of ["http://10.1.2.4/", "https://[::1]/", "https://[fd00:2::5]/", "https://[::127.0.0.1]/"]) {
      expect([url, await lead(url, { allow })]).toEqual([url, expect.stringMatching(/ is an? .* address$/)]);
    }
  });

  it("refuses a name when one of its addresses is refused", async () => {
    const url = "https://hooks.example/";
    expect(await lead(url, { to: ["93.184.215.14", "2606:4700::1"] })).toBe("let through");
    expect(await lead(url, { to: ["93.184.215.14", "10.0.0.1"] })).toBe(
      "hooks.example has the address 10.0.0.1, which is a private address",
    );
    expect(await lead(url, { to: ["::ffff:169.254.169.254"] })).toMatch(/which is a link-local address$/);
    expect(await lead("http://hooks.example/", { to: ["93.184.215.14"] })).toMatch(/public addresses need https$/);
  });
});
