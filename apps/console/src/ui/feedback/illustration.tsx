/** Pictures of an empty screen, by the specification's page types: 1 lists of work, 6 infrastructure, any other. */
export type PageType = 1 | 6 | 'other'

const soft = 'var(--g-accent-soft)'
const line = 'var(--g-accent)'
const faint = 'var(--g-line-strong)'

/** A gantry over a quay: the product's picture. The load and the objects below depend on the page type. */
export function Illustration({ type = 'other' }: { type?: PageType }) {
  return (
    <svg
      className="g-illustration"
      width={208}
      height={128}
      viewBox="0 0 208 128"
      fill="none"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M8 116h192" stroke={faint} />
      <path d="M20 122h40M76 122h96M184 122h8" stroke={soft} strokeWidth={4} />
      <path d="M44 116 52 30M164 116l-8-86M52 30h-8M156 30h8" stroke={line} />
      <path d="M32 30h144v-9H32z" fill={soft} stroke={line} />
      <path d="m50 52 108 0M49 64l7-12M159 64l-7-12" stroke={faint} />
      {type === 1 && <WorkWaiting />}
      {type === 6 && <Racks />}
      {type === 'other' && <EmptyQuay />}
    </svg>
  )
}

const Hook = ({ to }: { to: number }) => (
  <>
    <path d="M96 14h16v10H96z" fill="var(--g-surface)" stroke={line} />
    <path d={`M104 30v${to - 30}`} stroke={line} />
  </>
)

function WorkWaiting() {
  return (
    <>
      <Hook to={52} />
      <path d="m92 60 12-8 12 8" stroke={line} />
      <path d="M84 60h40v20H84z" fill={soft} stroke={line} />
      <path d="M92 64v12M100 64v12M108 64v12M116 64v12" stroke={line} opacity={0.5} />
      <path d="M72 96h34v20H72zM110 96h34v20h-34z" stroke={faint} strokeDasharray="4 4" />
    </>
  )
}

function Racks() {
  return (
    <>
      <Hook to={44} />
      <path d="M97 44h14" stroke={line} />
      {[64, 90, 116].map((x, at) => (
        <g key={x} stroke={at === 1 ? line : faint}>
          <path d={`M${x} 72h24v44h-24z`} fill={at === 1 ? soft : 'none'} />
          <path d={`M${x + 6} 82h12M${x + 6} 92h12M${x + 6} 102h6`} />
        </g>
      ))}
    </>
  )
}

function EmptyQuay() {
  return (
    <>
      <Hook to={62} />
      <path d="M98 62h12M98 62v5a6 6 0 0 0 12 0" stroke={line} />
      <path d="M78 92h52v24H78z" stroke={faint} strokeDasharray="4 4" />
    </>
  )
}
