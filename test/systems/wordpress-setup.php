<?php
// Installs WordPress and adds posts. Usage: php wordpress-setup.php FOLDER posts.json
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = parse_url(getenv('WP_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('WP_URL'), PHP_URL_PORT);
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/image.php';
wp_install('Systems test', 'admin', 'admin@site.invalid', true, '', 'a long password of the test');
update_option('permalink_structure', '/%postname%/');
update_option('timezone_string', 'UTC');
wp_delete_post(1, true);
global $wp_rewrite;
$wp_rewrite->init();
kses_remove_filters();

function find_term($name, $taxonomy) {
  $found = term_exists($name, $taxonomy);
  $term = $found ? $found : wp_insert_term($name, $taxonomy);
  return (int) $term['term_id'];
}

function add_image($number) {
  $folder = wp_upload_dir();
  $file = $folder['path'] . "/photo-$number.jpg";
  $image = imagecreatetruecolor(1600, 800);
  imagefill($image, 0, 0, imagecolorallocate($image, 40 * $number % 255, 90, 120));
  imagejpeg($image, $file, 60);
  $id = wp_insert_attachment(['post_title' => "Photo $number", 'post_mime_type' => 'image/jpeg', 'post_status' => 'inherit'], $file);
  wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file));
  update_post_meta($id, '_wp_attachment_image_alt', "A photo $number");
  return $id;
}

$statuses = ['draft' => 'draft', 'future' => 'future', 'private' => 'private'];
foreach (json_decode(file_get_contents($argv[2]), true) as $number => $post) {
  $time = $post['date'] . ' 08:00:00';
  $id = wp_insert_post([
    'post_name' => $post['slug'],
    'post_title' => wp_slash($post['title']),
    'post_content' => wp_slash($post['html']),
    'post_excerpt' => $post['excerpt'] ?? '',
    'post_status' => $statuses[$post['status'] ?? ''] ?? 'publish',
    'post_password' => ($post['status'] ?? '') === 'password' ? 'secret' : '',
    'post_date' => $time,
    'post_date_gmt' => $time,
    'post_author' => 1,
    'post_category' => array_map(fn($name) => find_term($name, 'category'), $post['categories'] ?? ['Uncategorized']),
    'tags_input' => $post['tags'] ?? [],
  ], true);
  if (is_wp_error($id)) exit($post['slug'] . ': ' . $id->get_error_message());
  if ($post['hasImage'] ?? false) set_post_thumbnail($id, add_image($number));
}
// WordPress redirects the former slug of a published post.
$renamed = wp_insert_post(['post_name' => 'former-name', 'post_title' => 'Renamed', 'post_content' => '<p>A post that was renamed after it was published.</p>', 'post_status' => 'publish', 'post_author' => 1]);
wp_update_post(['ID' => $renamed, 'post_name' => 'present-name']);
flush_rewrite_rules(false);
echo count(get_posts(['numberposts' => -1, 'post_status' => 'any'])) . " posts\n";
