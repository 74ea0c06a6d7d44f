const paths = {
  arrow: "M5 12h14M13 6l6 6-6 6",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 21h4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  external: "M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9",
  key: "M14 10a4 4 0 1 0-3.5 3.97L12 15.5h2v2h2v2h3v-3l-5.2-5.2A4 4 0 0 0 14 10zM8.5 8.6h.01",
  machine: "M4 5h16v11H4zM9 20h6M12 16v4",
  minus: "M6 12h12",
  moon: "M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z",
  plus: "M12 5v14M5 12h14",
  redo: "M4 12a8 8 0 1 1 2.6 5.9M4 18v-5h5",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5L20 20",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
} as const;

/** An icon beside text, or inside a control with a label. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
