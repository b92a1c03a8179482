// Replaces three packages that transformers.js names and that are never loaded through it. Its native runtime is passed
// in from the build's install folder (core/host/probe/embed/onnx-runtime.ts), the runtime for browsers is included in
// it, and images are not read.
module.exports = {}
