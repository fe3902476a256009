import styles from './sample.module.css'

/** The position of the load at each of the six moments. */
const rails = [96, 152, 208, 264, 320, 320]

const line = 'var(--g-accent)'
const soft = 'var(--g-accent-soft)'
const faint = 'var(--g-line-strong)'

/** A gantry carries a commit from the repository at the left to the quay at the right, to position 0 to 5. */
export function Scene({ reached }: { reached: number }) {
  const x = rails[Math.min(reached, rails.length - 1)] ?? 96
  const landed = reached >= 4
  const answers = reached >= 5
  return (
    <svg
      className={styles.scene}
      viewBox="0 0 416 240"
      fill="none"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M16 208h384" stroke={faint} />
      <path d="M36 220h64M124 220h150M300 220h72" stroke={soft} strokeWidth={4} />
      <Repository />
      <path d="M72 208 84 52M364 208 352 52" stroke={line} />
      <path d="M56 52h320v-12H56z" fill={soft} stroke={line} />
      <path d="M84 40 118 52 152 40 186 52 220 40 254 52 288 40 322 52 352 40" stroke={line} opacity={0.35} />
      <path d="M336 160h64v48h-64z" fill="var(--g-surface)" stroke={faint} />
      <path d="M352 160v48M368 160v48M384 160v48" stroke={faint} opacity={0.6} />
      <path d="M280 160h56v48h-56z" stroke={faint} strokeDasharray="4 5" />
      <g className={styles.trolley} style={{ transform: `translateX(${x}px)` }}>
        <path d="M-16 28h32v12h-32z" fill="var(--g-surface)" stroke={line} />
        <path d={`M-7 52V${landed ? 152 : 92}M7 52V${landed ? 152 : 92}`} stroke={line} />
        <g style={{ transform: `translate(${landed ? -40 : -28}px, ${landed ? 160 : 96}px)` }}>
          <rect width={landed ? 56 : 56} height={landed ? 48 : 40} rx={3} fill={soft} stroke={line} />
          <path d="M12 9v22M22 9v22M34 9v22M44 9v22" stroke={line} opacity={0.45} />
        </g>
      </g>
      {answers && <Greeting />}
    </svg>
  )
}

function Repository() {
  return (
    <g stroke={line}>
      <path d="M28 208v-88" stroke={faint} />
      <path d="M28 176c0-16 20-12 20-28" stroke={faint} />
      <circle cx={28} cy={188} r={5} fill="var(--g-surface)" />
      <circle cx={28} cy={152} r={5} fill="var(--g-surface)" />
      <circle cx={48} cy={142} r={5} fill="var(--g-surface)" stroke={faint} />
      <circle cx={28} cy={116} r={6} fill={line} />
    </g>
  )
}

function Greeting() {
  return (
    <g>
      <path
        d="M238 84h84a8 8 0 0 1 8 8v24a8 8 0 0 1-8 8h-10l-8 12-6-12h-60a8 8 0 0 1-8-8V92a8 8 0 0 1 8-8Z"
        fill="var(--g-raised)"
        stroke={line}
      />
      <path d="M248 98h46M248 110h64" stroke={line} strokeWidth={3} />
    </g>
  )
}
