import { defineConfig } from 'vite'

/**
 * Each agent as one file that any Node runs, without a folder of packages beside it: the one of a cluster, and with
 * `--mode build` the one that runs builds. Legible: it is read before it is let in.
 */
const agents = {
  cluster: { ssr: 'src/cluster/main.ts', file: 'cluster-agent.mjs' },
  build: { ssr: 'src/main.ts', file: 'agent.mjs' },
}

export default defineConfig(({ mode }) => {
  const { ssr, file } = mode === 'build' ? agents.build : agents.cluster
  return {
    root: import.meta.dirname,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr,
      target: 'node24',
      outDir: 'dist',
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { entryFileNames: file, codeSplitting: false } },
    },
  }
})
