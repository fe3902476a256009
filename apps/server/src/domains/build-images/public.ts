export { imagesForJobs, linkBuildImages } from './build-images.store.ts'
