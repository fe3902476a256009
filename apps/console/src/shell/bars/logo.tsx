import { useStore } from '../../api/store.ts'
import { product } from '../product.ts'
import styles from './top-bar.module.css'

/** The gantry and its load. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg className="g-mark" width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden>
    <rect width="32" height="32" rx="7" fill="var(--g-mark-bg)" />
    <path
      d="M6 10.5h20M9 10.5V26M23 10.5V26M16 10.5V15"
      stroke="var(--g-mark-line)"
      strokeWidth="2.4"
      strokeLinecap="round"
    />
    <rect x="12" y="15" width="8" height="6" rx="1.2" fill="var(--g-mark-load)" />
  </svg>
)

export function Logo() {
  const { productName } = useStore(product)
  return (
    <span className={styles.logo}>
      <Mark />
      <span>{productName}</span>
    </span>
  )
}
