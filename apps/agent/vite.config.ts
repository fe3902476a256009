import { defineConfig } from 'vite'

/**
 * Bundles each agent into one file that any Node runs without node_modules: the cluster agent, and with `--mode build`
 * the build agent. Not minified, because people read the file before they run it.
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
