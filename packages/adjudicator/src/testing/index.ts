/** For tests of hosts: parents and a person who follow a script, and what recovery needs, faked. */
export * from "./FakeApprover.ts"
export * from "./FakeRunner.ts"
export * from "./FakeTools.ts"
export * from "./ScriptedParent.ts"
