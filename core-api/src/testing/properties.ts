import fc from 'fast-check';

/** Properties are tried on the same cases each time: whoever sees one fail has broken it, and can repeat it. */
fc.configureGlobal({ seed: 20_261_121 });

export { fc };
