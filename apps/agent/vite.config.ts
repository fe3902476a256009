import { defineConfig } from 'vite'

/** The agent of a cluster as one file that any Node runs, without a folder of packages beside it. Legible: it is read before it is let in. */
export default defineConfig({
  root: import.meta.dirname,
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/cluster/main.ts',
    target: 'node24',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'cluster-agent.mjs' } },
  },
})
