import fc from 'fast-check';

/** A fixed seed makes every failure of a property test repeatable. */
fc.configureGlobal({ seed: 20_261_121 });

export { fc };
