import { useStore } from '../api/store.ts'
import { product, releaseOf } from './product.ts'
import styles from './shell.module.css'

const year = new Date().getFullYear()

export function Footer() {
  const { productName, version } = useStore(product)
  return (
    <footer className={`${styles.footer} g-num`} title={version}>
      © {year} {productName} · {releaseOf(version, location.hostname)}
    </footer>
  )
}
