/** Licences to choose from: the contract's words, and common ids. */
export const licenseChoices = [
  ["", "Any licence"],
  ["open", "Open (OSI, CC-BY, public domain)"],
  ["permissive", "Permissive (MIT, Apache …)"],
  ["commercial", "Commercial use allowed"],
  ["apache-2.0", "apache-2.0"],
  ["mit", "mit"],
] as const;
