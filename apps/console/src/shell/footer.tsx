import { useStore } from '../api/store.ts'
import { product, releaseOf } from './product.ts'

export function Footer() {
  const { productName, version } = useStore(product)
  return (
    <footer className="g-footer g-num" title={version}>
      © {new Date().getFullYear()} {productName} · {releaseOf(version, location.hostname)}
    </footer>
  )
}
