export { imagesForJobs, linkBuildImages, listImagesForJobs } from './build-images.store.ts'
