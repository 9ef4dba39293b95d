<?php
/**
 * Plugin Name: Signpost beside
 * Description: Counts views and paid links of this site in your Signpost console.
 * Version: 0.3.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/old-licenses/gpl-2.0.html
 *
 * Copy this file to wp-content/plugins/, activate it, and type the address of your Signpost site under
 * Settings > Signpost.
 */

defined( 'ABSPATH' ) || exit;

const SIGNPOST_BESIDE_ADDRESS = 'signpost_beside_address';

/** The origin of the Signpost site, such as https://money.example; empty for a text that is none. */
function signpost_beside_parse_address( $text ) {
	$parts = wp_parse_url( trim( (string) $text ) );
	if ( ! is_array( $parts ) || empty( $parts['host'] ) ) {
		return '';
	}
	$scheme   = isset( $parts['scheme'] ) ? $parts['scheme'] : '';
	$is_local = in_array( $parts['host'], array( 'localhost', '127.0.0.1' ), true );
	if ( 'https' !== $scheme && ! ( 'http' === $scheme && $is_local ) ) {
		return '';
	}
	return $scheme . '://' . $parts['host'] . ( isset( $parts['port'] ) ? ':' . (int) $parts['port'] : '' );
}

/** Keeps the address of before when the new text is none. */
function signpost_beside_save_address( $text ) {
	$address = signpost_beside_parse_address( $text );
	if ( '' === $address && '' !== trim( (string) $text ) ) {
		add_settings_error(
			SIGNPOST_BESIDE_ADDRESS,
			'signpost_beside_no_address',
			'This is no address of a site. It begins with https://, such as https://money.example.'
		);
		return get_option( SIGNPOST_BESIDE_ADDRESS, '' );
	}
	return $address;
}

/** Whether the request shows a page to a reader: people who edit, and previews, are not counted. */
function signpost_beside_is_counted() {
	return ! is_admin() && ! is_preview() && ! is_customize_preview() && ! is_feed()
		&& ! current_user_can( 'edit_posts' );
}

add_action(
	'wp_enqueue_scripts',
	function () {
		$address = signpost_beside_parse_address( get_option( SIGNPOST_BESIDE_ADDRESS, '' ) );
		if ( '' === $address || ! signpost_beside_is_counted() ) {
			return;
		}
		// No version: the script is one for all pages, and its own server says how long it may be kept.
		wp_enqueue_script( 'signpost-beside', $address . '/beside.js', array(), null );
	}
);

add_filter(
	'script_loader_tag',
	function ( $tag, $handle ) {
		if ( 'signpost-beside' !== $handle ) {
			return $tag;
		}
		// Rocket Loader, LiteSpeed, Autoptimize and WP Rocket hold no such script back until the first interaction.
		// `async` wins over `defer`, by which a server that does not answer keeps DOMContentLoaded from all scripts of the page.
		$asks = ' async defer data-cfasync="false" data-no-defer="1" data-no-optimize="1" data-noptimize="1" data-nowprocket';
		return str_replace( ' src=', $asks . ' src=', $tag );
	},
	10,
	2
);

add_action(
	'admin_init',
	function () {
		register_setting(
			'signpost_beside',
			SIGNPOST_BESIDE_ADDRESS,
			array(
				'type'              => 'string',
				'sanitize_callback' => 'signpost_beside_save_address',
				'default'           => '',
			)
		);
	}
);

add_action(
	'admin_menu',
	function () {
		add_options_page( 'Signpost', 'Signpost', 'manage_options', 'signpost-beside', 'signpost_beside_show_settings' );
	}
);

/** Shows the one setting. */
function signpost_beside_show_settings() {
	?>
	<div class="wrap">
		<h1>Signpost</h1>
		<form method="post" action="options.php">
			<?php settings_fields( 'signpost_beside' ); ?>
			<p>
				<label for="signpost-beside-address">Address of your Signpost site</label><br>
				<input id="signpost-beside-address" name="<?php echo esc_attr( SIGNPOST_BESIDE_ADDRESS ); ?>" type="url"
					class="regular-text" placeholder="https://money.example"
					value="<?php echo esc_attr( get_option( SIGNPOST_BESIDE_ADDRESS, '' ) ); ?>">
			</p>
			<p class="description">
				List this site in its console under Settings, too: <code><?php echo esc_html( home_url() ); ?></code>
			</p>
			<?php submit_button(); ?>
		</form>
	</div>
	<?php
}
