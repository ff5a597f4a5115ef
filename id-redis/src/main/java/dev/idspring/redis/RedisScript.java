package dev.idspring.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.lettuce.core.codec.Base16;

/**
 * The Lua scripts of the stores. The server runs each script atomically.
 */
enum RedisScript {

	/** Reserves ordinals. */
	RESERVE,

	/** Advances, renews or releases a slot. */
	MOVE,

	/** Reads a key space and the requested slots. */
	READ,

	/** Applies a {@link Change} if its conditions are met. */
	CHANGE;

	private final byte[] text;

	private final String digest;

	RedisScript() {
		this.text = (read("server") + read(name().toLowerCase(Locale.ROOT))).getBytes(StandardCharsets.US_ASCII);
		this.digest = Base16.digest(this.text);
	}

	private static String read(String name) {
		try (InputStream file = RedisScript.class.getResourceAsStream(name + ".lua")) {
			if (file == null) {
				throw new IllegalStateException(name + ".lua is missing");
			}
			return new String(file.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	byte[] text() {
		return this.text;
	}

	String digest() {
		return this.digest;
	}

}
