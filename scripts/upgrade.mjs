// An installation of a version before 0.3.0 runs this in a clone of the new one before it changes anything.
console.error(
  'From version 0.3.0 on, a site is a folder of its own. Stop the site, then run in a clone of the new version: ' +
    'npm run create -- ../my-site --from-clone FOLDER-OF-THE-SITE',
);
process.exit(1);
