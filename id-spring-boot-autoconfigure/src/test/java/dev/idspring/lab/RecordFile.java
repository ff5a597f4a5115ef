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
 * Entries of a few numbers. They are in the hands of the operating system before the
 * thread goes on, so that killing the process loses nothing but what it was just about to
 * write, of which no user could know either.
 */
final class RecordFile implements AutoCloseable {

	static final int NUMBERS = 5;

	private static final int BYTES = NUMBERS * Long.BYTES;

	/** No channel, which an interrupted thread would close. */
	private final OutputStream file;

	private RecordFile(OutputStream file) {
		this.file = file;
	}

	/**
	 * Begin a file, or continue with it.
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
	 * Return where the calls of a thread are written down.
	 * @param instance who writes it, different from all others
	 */
	static Path calls(Path directory, String instance, LabGenerator generator, int thread) {
		return directory.resolve(instance + "." + generator.name() + "." + thread + ".ids");
	}

	/**
	 * Return where it is written down what the store has said to an instance.
	 */
	static Path store(Path directory, String instance, LabGenerator generator) {
		return directory.resolve(instance + "." + generator.name() + ".store");
	}

	/**
	 * Return where the last whole entry ends.
	 */
	static long end(Path path) {
		try {
			return Files.exists(path) ? Files.size(path) / BYTES * BYTES : 0;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write entries, all at once.
	 * @param numbers five for each entry
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
	 * Read what has been added to a file.
	 * @param offset where to begin
	 * @return where to begin the next time
	 */
	static long read(Path path, long offset, Reader reader) {
		if (!Files.exists(path)) {
			return offset;
		}
		try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
			ByteBuffer buffer = ByteBuffer.allocate(1_024 * BYTES);
			long position = offset;
			while (channel.read(buffer, position) >= BYTES) {
				buffer.flip();
				while (buffer.remaining() >= BYTES) {
					reader.read((int) buffer.getLong(), buffer.getLong(), buffer.getLong(), buffer.getLong(),
							buffer.getLong());
					position += BYTES;
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
	 * Read the calls that have been added to a file.
	 */
	static long readCalls(Path path, long offset, CallReader reader) {
		Answer[] answers = Answer.values();
		return read(path, offset,
				(kind, before, after, took, id) -> reader.read(answers[kind], before, after, took, id));
	}

	/**
	 * Is told of each entry.
	 */
	interface Reader {

		void read(int kind, long first, long second, long third, long fourth);

	}

	/**
	 * Is told of each id, and of each call that ended otherwise.
	 */
	interface CallReader {

		/**
		 * Read an entry.
		 * @param before the sequence number that was drawn before the call
		 * @param after the sequence number that was drawn after the call
		 * @param took for how many milliseconds the generator had the caller wait, while
		 * there was time for everybody in the process
		 */
		void read(Answer answer, long before, long after, long took, long id);

	}

}
