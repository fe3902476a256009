/** The product's icons: 16 px, one stroke, drawn as one family. */
const drawn = {
  add: 'M8 3v10M3 8h10',
  agent: 'M3.5 5.5h9v7h-9zM8 5.5V3M6.2 9h.01M9.8 9h.01M1.5 8.5v2M14.5 8.5v2',
  alarm: 'M8 2.5a4 4 0 0 1 4 4c0 3 1.3 4.2 1.3 4.2H2.7S4 9.5 4 6.5a4 4 0 0 1 4-4ZM6.7 13a1.4 1.4 0 0 0 2.6 0',
  app: 'M8 2 13.5 5v6L8 14l-5.5-3V5ZM2.5 5 8 8m0 0 5.5-3M8 8v6',
  archive: 'M2.5 3h11v3h-11zM3.5 6v7h9V6M6.5 8.5h3',
  arrow: 'M3 8h10M9 4l4 4-4 4',
  audit: 'M4 2.5h5.5L12.5 5.5V13.5H4zM9 2.5V6h3.5M6 8.5h4.5M6 11h3',
  back: 'M13 8H3M7 4 3 8l4 4',
  bell: 'M8 2.5a4 4 0 0 1 4 4c0 3 1.3 4.2 1.3 4.2H2.7S4 9.5 4 6.5a4 4 0 0 1 4-4ZM6.7 13a1.4 1.4 0 0 0 2.6 0',
  build: 'M9.5 3.2a3 3 0 0 0-3.9 3.7L2.5 10v3.5H6l3.1-3.1a3 3 0 0 0 3.7-3.9L10.8 8.5 8 7.9l-.6-2.7Z',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  chevron: 'm4 6 4 4 4-4',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 4.8V8l2.2 1.5',
  close: 'm4 4 8 8M12 4l-8 8',
  cloud: 'M4.5 12.5a3 3 0 0 1-.3-6 4 4 0 0 1 7.7 1 2.5 2.5 0 0 1-.4 5Z',
  cluster:
    'M8 2v3M8 11v3M2.8 5l2.6 1.5M10.6 9.5l2.6 1.5M2.8 11l2.6-1.5M10.6 6.5l2.6-1.5M8 5l2.6 1.5v3L8 11 5.4 9.5v-3Z',
  code: 'm5.5 5-3 3 3 3M10.5 5l3 3-3 3',
  collapse: 'M2.5 3h11v10h-11zM6 3v10M11 6.5 9.5 8 11 9.5',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  config: 'M3 4.5h6M12 4.5h1M3 8h1M7 8h6M3 11.5h5M11 11.5h2M9 3v3M4.5 6.5v3M8.5 10v3',
  copy: 'M5.5 5.5h7v7h-7zM10.5 5.5v-2h-7v7h2',
  dashboard: 'M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5h4.5v3H2.5z',
  delete: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.8 7v3.5M9.2 7v3.5',
  diff: 'M5 3v6M2 6h6M2.5 12.5h5M11 3v10M9 11l2 2 2-2',
  docs: 'M8 4c-1.2-.9-3-1.2-5.5-1.2v9.4C5 12.2 6.8 12.5 8 13.5c1.2-1 3-1.3 5.5-1.3V2.8C11 2.8 9.2 3.1 8 4Zm0 0v9.5',
  docker: 'M2 8h12c0 3-2 5-5.5 5S2.5 11 2 8ZM4 8V6h2v2M6 8V6h2v2M8 8V6h2v2M6 6V4h2v2',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13h10',
  upload: 'M8 10.2V2.7M4.8 5.7 8 2.5l3.2 3.2M3 13h10',
  edit: 'm3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2ZM9.2 4.6l2.2 2.2',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM6 6l4 4M10 6l-4 4',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3-1.5V8.5Z',
  full: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  gear: 'M8 1.8 13.4 4.9v6.2L8 14.2 2.6 11.1V4.9ZM8 5.9a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2Z',
  globe: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM2 8h12M8 2c2 2 2.6 4 2.6 6S10 12 8 14c-2-2-2.6-4-2.6-6S6 4 8 2Z',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  host: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01M8 5h3.5M8 11h3.5',
  image: 'M2.5 5.5 8 2.5l5.5 3L8 8.5ZM2.5 8 8 11l5.5-3M2.5 10.5 8 13.5l5.5-3',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.2v3.6M8 5.2h.01',
  ingress: 'M2.5 8h4M6.5 8l4-4.5H13.5M6.5 8l4 4.5H13.5M11.8 1.8l1.7 1.7-1.7 1.7M11.8 10.8l1.7 1.7-1.7 1.7',
  key: 'M5.5 7.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM7.6 8.4 13.5 2.5M11 5l1.8 1.8',
  language: 'M2 4h7M5.5 2.5V4M8 4c-.5 3-2.5 5-5.5 6M3.5 6c1 2 2.5 3.3 4.5 4M8.5 13.5 11.3 7l2.7 6.5M9.4 11.5h3.7',
  link: 'M7 4.5 8.5 3a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5 7.5 13a2.8 2.8 0 0 1-4-4L5 7.5M6 10l4-4',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2M8 9.5v1.5',
  log: 'M2.5 3h11v10h-11zM5 6h3M5 8.5h6M5 11h4.5',
  logout: 'M6.5 2.5h-4v11h4M6.5 8h7M10.5 5l3 3-3 3',
  mail: 'M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5',
  metrics: 'M2.5 2.5v11h11M5 10.5l2.5-3.5 2 1.8 3.5-5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  minus: 'M3 8h10',
  more: 'M3.2 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0ZM7.6 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0ZM12 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0Z',
  next: 'm6 4 4 4-4 4',
  openstack: 'M2.5 5.5v-3h11v3h-3V5h-5v.5ZM2.5 10.5v3h11v-3h-3v.5h-5v-.5ZM2.5 7h3v2h-3zM10.5 7h3v2h-3z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  phone: 'M5 2h6v12H5zM7.4 11.8h1.2',
  pipeline:
    'M3.5 2.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM12.5 10.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6ZM5.3 4H9a2.5 2.5 0 0 1 0 5H7a1.5 1.5 0 0 0 0 3h3.7',
  play: 'M5 3.2v9.6L12.5 8Z',
  previous: 'm10 4-4 4 4 4',
  product: 'M2.5 5.5 8 2.5l5.5 3v5L8 13.5l-5.5-3ZM5.2 4l5.5 3v2.5',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.5v3.3H9.7',
  registry:
    'M8 2.5c3 0 5.5.9 5.5 2S11 6.5 8 6.5 2.5 5.6 2.5 4.5s2.5-2 5.5-2ZM2.5 4.5v7c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2v-7M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  redo: 'M13 6.5H6.5a3.5 3.5 0 0 0 0 7H10M10.2 3.5l3 3-3 3',
  rollback: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M5.8 3.5 2.8 6.5l3 3',
  scale: 'M3 13V9M6.3 13V6.5M9.7 13V8M13 13V3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.2 3.2',
  shield: 'M8 2 13 4v4c0 3-2 5-5 6-3-1-5-3-5-6V4Z',
  sort: 'M5 3v10M2.8 10.8 5 13l2.2-2.2M11 13V3M8.8 5.2 11 3l2.2 2.2',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.8.8M11.8 11.8l.8.8M3.4 12.6l.8-.8M11.8 4.2l.8-.8',
  system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  team: 'M6 3.2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6ZM2 13c0-2.3 1.7-3.7 4-3.7s4 1.4 4 3.7M10.5 3.4a2.3 2.3 0 0 1 0 4.2M11.7 9.6c1.5.5 2.3 1.7 2.3 3.4',
  terminal: 'M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10H11',
  template: 'M2.5 2.5h11v3.5h-11zM2.5 8h5v5.5h-5zM9.5 8h4v5.5h-4z',
  up: 'm4 10 4-4 4 4',
  upgrade: 'M8 13V4M4.5 7.5 8 4l3.5 3.5M3 2.2h10',
  user: 'M8 2.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM2.8 13.5c.2-2.8 2.3-4 5.2-4s5 1.2 5.2 4',
  warn: 'M8 2.5 14.2 13H1.8ZM8 6.5v3M8 11.2h.01',
  wrap: 'M2.5 4h11M2.5 8h9a2 2 0 0 1 0 4H8.5M10 10.5 8.5 12l1.5 1.5M2.5 12h3',
  zone: 'M2.5 2.5h4.5v4.5H2.5zM9 9h4.5v4.5H9zM9 4.8h2.2V9M7 11.2H4.8V7',
} as const

export type IconName = keyof typeof drawn

interface IconProps {
  name: IconName
  size?: number
  label?: string
  /** From antd's menu, which uses it for the distance to the text. */
  className?: string
}

/** Decorative beside a text; with a label it replaces the text. */
export function Icon({ name, size = 16, label, className }: IconProps) {
  return (
    <svg
      className={className === undefined ? 'g-icon' : `g-icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={drawn[name]} />
    </svg>
  )
}
