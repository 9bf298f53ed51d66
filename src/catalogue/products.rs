//! The products that cards came with, and what their words say.

use super::Columns;
use super::format::CardRecord;
use crate::math::information;
use zerocopy::little_endian::U16;

impl<'a> Columns<'a> {
    /// Information, in nats, of the words that the product of `card` shares with `words`; `None` if
    /// it shares none.
    #[inline]
    pub(crate) fn shared_words(&self, card: &CardRecord, words: &[u16]) -> Option<f32> {
        // most cards came with no product, and most titles say no word of one
        if card.product.get() == 0 || words.is_empty() {
            return None;
        }
        self.shared_of_product(card, words)
    }

    fn shared_of_product(&self, card: &CardRecord, words: &[u16]) -> Option<f32> {
        let own = self.product_words(card).iter().map(|word| word.get());
        own.filter(|word| words.contains(word))
            .map(|word| self.word_information(word))
            .reduce(f32::max)
    }

    /// The words of the product that a card came with, and the information of each, in nats.
    pub(crate) fn words_of_product(&self, card: &CardRecord) -> impl Iterator<Item = (u16, f32)> {
        let own = self.product_words(card).iter().map(|word| word.get());
        own.map(|word| (word, self.word_information(word)))
    }

    /// The words of the product that a card came with.
    fn product_words(&self, card: &CardRecord) -> &'a [U16] {
        let product = self.products.get(card.product.get() as usize);
        let own = product.and_then(|product| {
            let from = product.first.get() as usize;
            self.product_words
                .get(from..from + product.count.get() as usize)
        });
        own.unwrap_or(&[])
    }

    /// Whether no card came with a product that has the word: a campaign whose cards are lacking.
    pub(crate) fn is_unheld_word(&self, word: u16) -> bool {
        let bear = self.word_cards.get(usize::from(word));
        bear.is_some_and(|cards| cards.get() == 0)
    }

    /// The information of a word of products, in nats.
    fn word_information(&self, word: u16) -> f32 {
        let bear = self.word_cards.get(usize::from(word));
        let cards = self.card_count().max(1) as f32;
        information(cards, bear.map_or(1, |cards| cards.get()))
    }

    /// The product that a card came with; empty if none is known.
    pub(crate) fn product(&self, card: &CardRecord) -> &'a str {
        self.products
            .get(card.product.get() as usize)
            .map_or("", |p| self.string(p.text))
    }

    /// The names of all products, by number.
    pub(crate) fn product_names(&self) -> impl Iterator<Item = &'a str> {
        let products = self.products.iter();
        products.map(|product| self.string(product.text))
    }

    /// The year in the name of the product that a card came with.
    pub(crate) fn product_year(&self, card: &CardRecord) -> Option<u16> {
        let product = usize::from(card.product.get());
        if product == 0 {
            return None;
        }
        let product = self.products.get(product);
        product.map(|p| p.year.get()).filter(|&year| year != 0)
    }
}
