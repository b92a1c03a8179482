import { runBuild } from './build.ts'

// `turnscope get model` runs this, built: with the folder of the model, and the one whose node_modules has the packages
// that it is made from.
const [, , folder, root] = process.argv
void runBuild(folder, root)
