"""Queries, texts and the words of these that are marked: in the browser and on the server alike."""

HITS = [
    ("best cat food", "Cats eat food; bests do not.", ["Cats", "food"]),
    ("cities", "A city, no citizen", ["city"]),
    ("growing mint", "Mint grows, to grow it", ["Mint", "grows", "grow"]),
    ("make a table", "making tables", ["making", "tables"]),
    ("planted houses", "Planting a house", ["Planting", "house"]),
    ("classes", "class and classify", ["class"]),
    ("Pflanzen gießen", "Die Pflanze", ["Pflanze"]),
    ("Häuser", "Hauser and Häusern", ["Hauser", "Häusern"]),
    ("der Hund und die Katze", "Hunde und der Kater", ["Hunde"]),
    ("what is the of", "what is the of", []),
    ("البيت", "في بيت البيت", ["بيت", "البيت"]),
    ("東京", "新東京駅", ["東京"]),
    ("café", "Cafe and CAFÉS", ["Cafe", "CAFÉS"]),
    ("a+b (c", "a+b (c", []),
    ("हिन्दी", "वह हिन्दी में है", ["हिन्दी"]),
    ("ที่", "ในกรุงเทพฯ ที่", ["ที่"]),
]
