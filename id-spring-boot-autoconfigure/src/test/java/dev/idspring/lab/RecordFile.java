package dev.idspring.lab;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of entries that consist of five numbers each. A thread passes its entries to the
 * operating system before it continues. So a killed process loses only entries that it
 * was about to write, and no other process can have seen their ids.
 */
final class RecordFile implements AutoCloseable {

	static final int NUMBERS_PER_ENTRY = 5;

	private static final int BYTES_PER_ENTRY = NUMBERS_PER_ENTRY * Long.BYTES;

	/** Not a channel, since an interrupt would close it. */
	private final OutputStream file;

	private RecordFile(OutputStream file) {
		this.file = file;
	}

	/**
	 * Create a file, or open it to append.
	 */
	static RecordFile open(Path path) {
		try {
			return new RecordFile(new FileOutputStream(path.toFile(), true));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Return the file that records the calls of a thread.
	 * @param instance the name of the instance, which is unique
	 */
	static Path callFile(Path directory, String instance, LabGenerator generator, int thread) {
		return directory.resolve(instance + "." + generator.name() + "." + thread + ".ids");
	}

	/**
	 * Return the file that records the store events of an instance.
	 */
	static Path storeFile(Path directory, String instance, LabGenerator generator) {
		return directory.resolve(instance + "." + generator.name() + ".store");
	}

	/**
	 * Return the offset at which the last complete entry ends.
	 */
	static long endOffset(Path path) {
		try {
			return Files.exists(path) ? Files.size(path) / BYTES_PER_ENTRY * BYTES_PER_ENTRY : 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write entries in one call.
	 * @param numbers five numbers for each entry
	 */
	void write(long... numbers) {
		ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
		for (long number : numbers) {
			bytes.putLong(number);
		}
		try {
			this.file.write(bytes.array());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.file.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Read the entries after an offset.
	 * @param offset the offset of the first entry to read
	 * @return the offset after the last entry that was read
	 */
	static long read(Path path, long offset, Reader reader) {
		if (!Files.exists(path)) {
			return offset;
		}
		try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
			ByteBuffer buffer = ByteBuffer.allocate(1_024 * BYTES_PER_ENTRY);
			long position = offset;
			while (channel.read(buffer, position) >= BYTES_PER_ENTRY) {
				buffer.flip();
				while (buffer.remaining() >= BYTES_PER_ENTRY) {
					reader.read((int) buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(),
							buffer.getLong());
					position += BYTES_PER_ENTRY;
				}
				buffer.clear();
			}
			return position;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Read the recorded calls after an offset.
	 */
	static long readCalls(Path path, long offset, CallReader reader) {
		Answer[] answers = Answer.values();
		return read(path, offset,
				(kind, before, after, tookMillis, id) -> reader.read(answers[kind], before, after, tookMillis, id));
	}

	/**
	 * Receives each entry.
	 */
	interface Reader {

		void read(int kind, long first, long second, long third, long fourth);

	}

	/**
	 * Receives each id, and each call that failed.
	 */
	interface CallReader {

		/**
		 * Receive an entry.
		 * @param before the number that the caller drew from a shared counter before the
		 * call
		 * @param after the number that the caller drew from this counter after the call
		 * @param tookMillis the duration of the call, as measured by {@link Heartbeat}
		 */
		void read(Answer answer, long before, long after, long tookMillis, long id);

	}

}
