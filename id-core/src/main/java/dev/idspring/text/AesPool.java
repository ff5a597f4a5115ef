package dev.idspring.text;

import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;

import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;

/**
 * Encrypts single blocks with AES under one key. A {@link Cipher} is expensive to create,
 * and only one thread at a time can use it. The pool therefore reuses ciphers. It uses no
 * thread locals, because each virtual thread would then create a cipher of its own.
 */
final class AesPool {

	static final int BLOCK = 16;

	private static final int SLOTS = 16;

	private static final int STRIDE = 16;

	private final SecretKeySpec key;

	/** The slots are {@code STRIDE} elements apart so that no two share a cache line. */
	private final AtomicReferenceArray<@Nullable Cipher> idleCiphers = new AtomicReferenceArray<>(SLOTS * STRIDE);

	AesPool(byte[] key) {
		this.key = new SecretKeySpec(key, "AES");
	}

	Cipher acquire() {
		Cipher cipher = this.idleCiphers.getAndSet(slot(), null);
		return (cipher != null) ? cipher : create();
	}

	void release(Cipher cipher) {
		this.idleCiphers.lazySet(slot(), cipher);
	}

	private static int slot() {
		return ((int) Thread.currentThread().getId() & (SLOTS - 1)) * STRIDE;
	}

	private Cipher create() {
		try {
			// ECB is safe here: Ff1 builds its CBC-MAC from single blocks and never
			// encrypts data with ECB alone
			Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
			cipher.init(Cipher.ENCRYPT_MODE, this.key);
			return cipher;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("This JVM has no AES", ex);
		}
	}

	static void encrypt(Cipher cipher, byte[] block) {
		try {
			cipher.update(block, 0, BLOCK, block, 0);
		}
		catch (ShortBufferException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
