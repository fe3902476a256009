import styles from './auth.module.css'

/** The login's picture: a gantry sets the next container down. In the accent colour, so that it follows the theme. */
export function Harbour() {
  const stack = [
    [96, 304, 0],
    [160, 304, 1],
    [224, 304, 2],
    [288, 304, 0],
    [352, 304, 1],
    [128, 268, 2],
    [192, 268, 0],
    [320, 268, 2],
    [160, 232, 1],
  ] as const
  const fills = ['var(--a-box-1)', 'var(--a-box-2)', 'var(--a-box-3)']
  return (
    <svg
      className={styles.harbour}
      viewBox="0 0 512 400"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <circle cx="392" cy="104" r="44" fill="var(--a-sun)" />
      <path d="M0 340h512" stroke="var(--a-line)" strokeWidth="2" />
      <path
        d="M24 358h96M152 358h40M232 358h176M440 358h48M72 376h64M184 376h120M344 376h72"
        stroke="var(--a-water)"
        strokeWidth="3"
      />
      {stack.map(([x, y, fill]) => (
        <Box key={`${x}-${y}`} x={x} y={y} fill={fills[fill] ?? ''} />
      ))}
      <g stroke="var(--a-steel)" strokeWidth="5">
        <path d="M64 340 80 96M448 340 432 96M56 96h400" />
        <path d="M56 76h400v20H56z" fill="var(--a-beam)" strokeWidth="3" />
        <path d="M70 240h-8M442 240h8" />
      </g>
      <path
        d="M80 76 128 96 176 76 224 96 272 76 320 96 368 76 416 96"
        stroke="var(--a-steel)"
        strokeWidth="2"
        opacity=".5"
      />
      <g className={styles.trolley}>
        <path d="M268 62h40v14h-40z" fill="var(--a-steel)" />
        <path d="M276 96v92M300 96v92" stroke="var(--a-steel)" strokeWidth="2" />
        <path d="M262 188h52" stroke="var(--a-steel)" strokeWidth="4" />
        <Box x={256} y={192} fill="var(--a-box-next)" />
      </g>
      <path d="M258 269h60v34h-60z" stroke="var(--a-line)" strokeWidth="2" strokeDasharray="5 6" />
    </svg>
  )
}

const Box = ({ x, y, fill }: { x: number; y: number; fill: string }) => (
  <g>
    <rect x={x} y={y} width="64" height="36" rx="3" fill={fill} stroke="var(--a-edge)" strokeWidth="2" />
    <path
      d={`M${x + 12} ${y + 8}v20M${x + 24} ${y + 8}v20M${x + 40} ${y + 8}v20M${x + 52} ${y + 8}v20`}
      stroke="var(--a-edge)"
      strokeWidth="2"
      opacity=".35"
    />
  </g>
)
