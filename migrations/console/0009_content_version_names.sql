-- The path under which a version was saved, when its file was renamed since; empty otherwise.
ALTER TABLE content_versions ADD COLUMN saved_as TEXT NOT NULL DEFAULT '';
