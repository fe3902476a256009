export { createProduct, getProduct, removeProduct } from './products.service.ts'
